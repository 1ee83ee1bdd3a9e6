import type { Kysely, Selectable } from 'kysely';
import type { Dictionary, DictionaryVersion } from '../../../domain/dictionary.ts';
import type {
  DictionaryAddition,
  DictionaryChange,
  DictionaryLimits,
  DictionaryPage,
  DictionaryStore,
  VersionAddition,
} from '../dictionary-store.ts';
import { accountTransaction } from './account-transaction.ts';
import {
  insertDictionary,
  removeVersions,
  storedOf,
  surplusVersions,
  versionRow,
} from './dictionary-rows.ts';
import type { Schema } from './schema.ts';

const SORT_COLUMNS = { created: 'created_at_ms', name: 'name' } as const;

/** Pronunciation dictionaries in tables of an SQL database. */
export class DictionaryTable implements DictionaryStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async add(
    dictionary: Dictionary,
    version: DictionaryVersion,
    limits: DictionaryLimits,
  ): Promise<DictionaryAddition> {
    const { accountId } = dictionary;
    return accountTransaction(this.#database, 'dictionary', accountId, async (database) => {
      const stored = await storedOf(database, accountId);
      if (stored.dictionaries >= limits.dictionaries) return 'too-many-dictionaries';
      const row = versionRow(version);
      if (stored.bytes + row.size_bytes > limits.totalBytes) return 'too-many-bytes';
      await insertDictionary(database, dictionary);
      await database.insertInto('dictionary_version').values(row).execute();
      return 'added';
    });
  }

  async find(accountId: string, dictionaryId: string): Promise<Dictionary | undefined> {
    const row = await this.#database
      .selectFrom('dictionary')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('dictionary_id', '=', dictionaryId)
      .executeTakeFirst();
    return row && toDictionary(row);
  }

  async list(accountId: string, page: DictionaryPage): Promise<readonly Dictionary[]> {
    const column = SORT_COLUMNS[page.sort];
    const [order, beyond] =
      page.direction === 'ascending' ? (['asc', '>'] as const) : (['desc', '<'] as const);
    let query = this.#database
      .selectFrom('dictionary')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy(column, order)
      .orderBy('dictionary_id', order)
      .limit(page.limit);
    if (!page.includeArchived) query = query.where('archived_at_ms', 'is', null);
    if (page.after) {
      const { name, createdAtMs, dictionaryId } = page.after;
      const value = page.sort === 'name' ? name : createdAtMs;
      query = query.where(({ eb, or, and }) =>
        or([
          eb(column, beyond, value),
          and([eb(column, '=', value), eb('dictionary_id', beyond, dictionaryId)]),
        ]),
      );
    }
    return (await query.execute()).map(toDictionary);
  }

  async change(
    accountId: string,
    dictionaryId: string,
    { name, archivedAtMs }: DictionaryChange,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('dictionary')
      // Naming the key makes it a valid statement when nothing changes.
      .set({
        dictionary_id: dictionaryId,
        ...(name !== undefined && { name }),
        ...(archivedAtMs !== undefined && { archived_at_ms: archivedAtMs }),
      })
      .where('account_id', '=', accountId)
      .where('dictionary_id', '=', dictionaryId)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async addVersion(
    accountId: string,
    version: DictionaryVersion,
    madeFromVersionId: string,
    limits: DictionaryLimits,
  ): Promise<VersionAddition> {
    const { dictionaryId } = version;
    return accountTransaction(this.#database, 'dictionary', accountId, async (database) => {
      const latest = await new DictionaryTable(database).find(accountId, dictionaryId);
      if (latest?.latestVersionId !== madeFromVersionId) return 'changed-meanwhile';
      const row = versionRow(version);
      const surplus = await surplusVersions(database, row, limits);
      const freedBytes = surplus.reduce((bytes, { size_bytes }) => bytes + size_bytes, 0);
      const { bytes } = await storedOf(database, accountId);
      if (bytes - freedBytes + row.size_bytes > limits.totalBytes) return 'too-many-bytes';
      await database
        .updateTable('dictionary')
        .set({ latest_version_id: version.versionId, latest_rule_count: version.rules.length })
        .where('dictionary_id', '=', dictionaryId)
        .execute();
      await database.insertInto('dictionary_version').values(row).execute();
      await removeVersions(database, surplus);
      return 'added';
    });
  }

  async remove(accountId: string, dictionaryId: string): Promise<boolean> {
    // Its versions go with it: their foreign key says so.
    const { numDeletedRows } = await this.#database
      .deleteFrom('dictionary')
      .where('account_id', '=', accountId)
      .where('dictionary_id', '=', dictionaryId)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }

  async findVersion(
    dictionaryId: string,
    versionId: string,
  ): Promise<DictionaryVersion | undefined> {
    const row = await this.#database
      .selectFrom('dictionary_version')
      .selectAll()
      .where('dictionary_id', '=', dictionaryId)
      .where('version_id', '=', versionId)
      .executeTakeFirst();
    return row && toVersion(row);
  }
}

function toDictionary(row: Selectable<Schema['dictionary']>): Dictionary {
  return {
    dictionaryId: row.dictionary_id,
    accountId: row.account_id,
    name: row.name,
    description: row.description,
    createdAtMs: row.created_at_ms,
    archivedAtMs: row.archived_at_ms,
    latestVersionId: row.latest_version_id,
    latestRuleCount: row.latest_rule_count,
  };
}

function toVersion(row: Selectable<Schema['dictionary_version']>): DictionaryVersion {
  return {
    versionId: row.version_id,
    dictionaryId: row.dictionary_id,
    rules: JSON.parse(row.rules),
    createdAtMs: row.created_at_ms,
  };
}
