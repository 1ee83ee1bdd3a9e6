import type { Kysely } from 'kysely';

/** Found by their hash; pruned by their age. */
export async function singleUseTokens(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('single_use_token')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('key_hash', 'text', (column) => column.notNull())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('single_use_token_by_age')
    .on('single_use_token')
    .column('expires_at_ms')
    .execute();
}
