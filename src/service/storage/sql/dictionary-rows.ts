import type { Insertable, Kysely, Selectable } from 'kysely';
import type { Dictionary, DictionaryVersion } from '../../../domain/dictionary.ts';
import type { DictionaryLimits } from '../dictionary-store.ts';
import { StorageError } from '../storage.ts';
import type { Schema } from './schema.ts';

type VersionRow = Insertable<Schema['dictionary_version']> & { size_bytes: number };
type VersionSize = Pick<Selectable<Schema['dictionary_version']>, 'version_id' | 'size_bytes'>;

/** @throws StorageError when the id is there already. */
export async function insertDictionary(
  database: Kysely<Schema>,
  dictionary: Dictionary,
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('dictionary')
    .values({
      dictionary_id: dictionary.dictionaryId,
      account_id: dictionary.accountId,
      name: dictionary.name,
      description: dictionary.description,
      created_at_ms: dictionary.createdAtMs,
      archived_at_ms: dictionary.archivedAtMs,
      latest_version_id: dictionary.latestVersionId,
      latest_rule_count: dictionary.latestRuleCount,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 1n) return;
  throw new StorageError(`The dictionary ${dictionary.dictionaryId} is stored already.`);
}

export function versionRow(version: DictionaryVersion): VersionRow {
  const rules = JSON.stringify(version.rules);
  return {
    version_id: version.versionId,
    dictionary_id: version.dictionaryId,
    rules,
    size_bytes: Buffer.byteLength(rules),
    created_at_ms: version.createdAtMs,
  };
}

/** How many dictionaries an account has, archived ones too, and the bytes of all their versions. */
export async function storedOf(
  database: Kysely<Schema>,
  accountId: string,
): Promise<{ readonly dictionaries: number; readonly bytes: number }> {
  const { dictionaries, bytes } = await database
    .selectFrom('dictionary')
    .leftJoin('dictionary_version', 'dictionary_version.dictionary_id', 'dictionary.dictionary_id')
    .select(({ fn }) => [
      fn.count<number>('dictionary.dictionary_id').distinct().as('dictionaries'),
      fn.sum<number | null>('dictionary_version.size_bytes').as('bytes'),
    ])
    .where('dictionary.account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { dictionaries, bytes: bytes ?? 0 };
}

/** Versions of a dictionary that are past its limits once a new one has come, the oldest of them. */
export async function surplusVersions(
  database: Kysely<Schema>,
  added: VersionRow,
  { versions, versionBytes }: DictionaryLimits,
): Promise<readonly VersionSize[]> {
  const newestFirst = await database
    .selectFrom('dictionary_version')
    .select(['version_id', 'size_bytes'])
    .where('dictionary_id', '=', added.dictionary_id)
    .orderBy('created_at_ms', 'desc')
    .orderBy('version_id', 'desc')
    .execute();
  let bytes = added.size_bytes;
  const firstSurplus = newestFirst.findIndex(({ size_bytes }, index) => {
    bytes += size_bytes;
    return index + 1 >= versions || bytes > versionBytes;
  });
  return firstSurplus === -1 ? [] : newestFirst.slice(firstSurplus);
}

export async function removeVersions(
  database: Kysely<Schema>,
  versions: readonly VersionSize[],
): Promise<void> {
  if (versions.length === 0) return;
  await database
    .deleteFrom('dictionary_version')
    .where(
      'version_id',
      'in',
      versions.map(({ version_id }) => version_id),
    )
    .execute();
}
