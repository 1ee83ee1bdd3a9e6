import type { Kysely, Selectable } from 'kysely';
import type { Dictionary, DictionaryVersion } from '../../../domain/dictionary.ts';
import type { DictionaryChange, DictionaryPage, DictionaryStore } from '../dictionary-store.ts';
import { StorageError } from '../storage.ts';
import type { Schema } from './schema.ts';

const SORT_COLUMNS = { created: 'created_at_ms', name: 'name' } as const;

/** Pronunciation dictionaries in tables of an SQL database. */
export class DictionaryTable implements DictionaryStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async add(dictionary: Dictionary, version: DictionaryVersion): Promise<void> {
    await this.#database.transaction().execute(async (database) => {
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
      if (numInsertedOrUpdatedRows !== 1n) {
        throw new StorageError(`The dictionary ${dictionary.dictionaryId} is stored already.`);
      }
      await insertVersion(database, version);
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
  ): Promise<boolean> {
    return this.#database.transaction().execute(async (database) => {
      const { numUpdatedRows } = await database
        .updateTable('dictionary')
        .set({ latest_version_id: version.versionId, latest_rule_count: version.rules.length })
        .where('account_id', '=', accountId)
        .where('dictionary_id', '=', version.dictionaryId)
        .where('latest_version_id', '=', madeFromVersionId)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) return false;
      await insertVersion(database, version);
      return true;
    });
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

async function insertVersion(
  database: Kysely<Schema>,
  { versionId, dictionaryId, rules, createdAtMs }: DictionaryVersion,
): Promise<void> {
  await database
    .insertInto('dictionary_version')
    .values({
      version_id: versionId,
      dictionary_id: dictionaryId,
      rules: JSON.stringify(rules),
      created_at_ms: createdAtMs,
    })
    .execute();
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
