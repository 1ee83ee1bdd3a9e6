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

/** Pronunciation dictionaries and their versions. What is stored of a version never changes. */
export interface DictionaryStore {
  /**
   * @param version its first, named by `dictionary.latestVersionId`.
   * @throws StorageError when an id is there already.
   */
  add(dictionary: Dictionary, version: DictionaryVersion): Promise<void>;
  find(accountId: string, dictionaryId: string): Promise<Dictionary | undefined>;
  list(accountId: string, page: DictionaryPage): Promise<readonly Dictionary[]>;
  /** @returns whether the account has such a dictionary. */
  change(accountId: string, dictionaryId: string, change: DictionaryChange): Promise<boolean>;
  /**
   * Adds a version, and makes it the latest, if the latest is still the one it was made from.
   *
   * @returns whether it was; when not, nothing has changed.
   */
  addVersion(
    accountId: string,
    version: DictionaryVersion,
    madeFromVersionId: string,
  ): Promise<boolean>;
  findVersion(dictionaryId: string, versionId: string): Promise<DictionaryVersion | undefined>;
}
