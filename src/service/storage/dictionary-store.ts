import type { Dictionary, DictionaryVersion } from '../../domain/dictionary.ts';

/** Which page of an account's dictionaries is wanted. */
export interface DictionaryPage {
  readonly sort: 'created' | 'name';
  readonly direction: 'ascending' | 'descending';
  readonly includeArchived: boolean;
  /** Where the page before ended: its last dictionary. */
  readonly after?: DictionaryPlace | undefined;
  readonly limit: number;
}

/** What a listing sorts by; it stays meaningful when the dictionary is gone or renamed. */
export type DictionaryPlace = Pick<Dictionary, 'dictionaryId' | 'name' | 'createdAtMs'>;

/** What may change without a new version. Absent fields stay as they are. */
export interface DictionaryChange {
  readonly name?: string | undefined;
  readonly archivedAtMs?: number | null | undefined;
}

/** What an account may have of dictionaries. */
export interface DictionaryLimits {
  readonly dictionaries: number;
  /** Of the rules of all versions of all dictionaries, as stored. */
  readonly totalBytes: number;
  /** That are kept of one dictionary; the latest is kept whatever its size. */
  readonly versions: number;
  /** Of the rules of all versions of one dictionary. */
  readonly versionBytes: number;
}

/** What came of adding a dictionary. In every case but `added` nothing has changed. */
export type DictionaryAddition = 'added' | 'too-many-dictionaries' | 'too-many-bytes';

/** What came of adding a version. In every case but `added` nothing has changed. */
export type VersionAddition = 'added' | 'changed-meanwhile' | 'too-many-bytes';

/** Pronunciation dictionaries and their versions. What is stored of a version never changes. */
export interface DictionaryStore {
  /**
   * Counts and adds in one step.
   *
   * @param version its first, named by `dictionary.latestVersionId`.
   * @throws StorageError when an id is there already.
   */
  add(
    dictionary: Dictionary,
    version: DictionaryVersion,
    limits: DictionaryLimits,
  ): Promise<DictionaryAddition>;
  find(accountId: string, dictionaryId: string): Promise<Dictionary | undefined>;
  list(accountId: string, page: DictionaryPage): Promise<readonly Dictionary[]>;
  /** @returns whether the account has such a dictionary. */
  change(accountId: string, dictionaryId: string, change: DictionaryChange): Promise<boolean>;
  /**
   * Adds a version, and makes it the latest, if the latest is still the one it was made from. The
   * oldest versions that are then past the limits of one dictionary are removed.
   */
  addVersion(
    accountId: string,
    version: DictionaryVersion,
    madeFromVersionId: string,
    limits: DictionaryLimits,
  ): Promise<VersionAddition>;
  /**
   * Removes a dictionary with all its versions.
   *
   * @returns whether the account had such a dictionary.
   */
  remove(accountId: string, dictionaryId: string): Promise<boolean>;
  findVersion(dictionaryId: string, versionId: string): Promise<DictionaryVersion | undefined>;
}
