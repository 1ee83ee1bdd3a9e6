import type { Kysely } from 'kysely';

/** Versions hold their rules whole, as JSON: they are written once, and always read whole. */
export async function dictionaries(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('dictionary')
    .addColumn('dictionary_id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('archived_at_ms', 'bigint')
    .addColumn('latest_version_id', 'text', (column) => column.notNull())
    .addColumn('latest_rule_count', 'integer', (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('dictionary_by_account')
    .on('dictionary')
    .columns(['account_id', 'created_at_ms', 'dictionary_id'])
    .execute();
  await database.schema
    .createTable('dictionary_version')
    .addColumn('version_id', 'text', (column) => column.primaryKey())
    .addColumn('dictionary_id', 'text', (column) =>
      column.notNull().references('dictionary.dictionary_id').onDelete('cascade'),
    )
    .addColumn('rules', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('dictionary_version_by_dictionary')
    .on('dictionary_version')
    .column('dictionary_id')
    .execute();
}
