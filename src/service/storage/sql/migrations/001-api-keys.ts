import type { Kysely } from 'kysely';

/** The hash is unique: a secret names one key. Lists are read by account, oldest first. */
export async function apiKeys(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('api_key')
    .addColumn('key_id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('secret_hash', 'text', (column) => column.notNull().unique())
    .addColumn('last_four', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('api_key_by_account')
    .on('api_key')
    .columns(['account_id', 'created_at_ms'])
    .execute();
}
