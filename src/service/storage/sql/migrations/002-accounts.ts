import type { Kysely } from 'kysely';

/**
 * Accounts, the limits of keys, and the ledger of characters. The account that all keys have
 * belonged to so far becomes a stored one, without limits: who runs the server owns it.
 */
export async function accounts(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('account')
    .addColumn('account_id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('tier', 'text', (column) => column.notNull())
    .addColumn('character_limit', 'bigint')
    .addColumn('concurrency_limit', 'integer')
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await (database as Kysely<{ account: Record<string, unknown> }>)
    .insertInto('account')
    .values({
      account_id: 'default',
      name: 'Default',
      tier: 'business',
      created_at_ms: Date.now(),
    })
    .execute();
  // Both null for the keys that there are: every endpoint, from anywhere, without a limit of their own.
  for (const [name, type] of [
    ['scopes', 'text'],
    ['character_limit', 'bigint'],
    ['allowed_addresses', 'text'],
  ] as const) {
    await database.schema.alterTable('api_key').addColumn(name, type).execute();
  }
  await ledger(database);
}

/** One row a month for an account as a whole, whose key_id is empty, and one for each of its keys. */
async function ledger(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('character_usage')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('period_start_ms', 'bigint', (column) => column.notNull())
    .addColumn('characters', 'bigint', (column) => column.notNull())
    .addColumn('reached_limit', 'bigint')
    .addPrimaryKeyConstraint('character_usage_key', ['account_id', 'period_start_ms', 'key_id'])
    .execute();
  await database.schema
    .createTable('character_hold')
    .addColumn('hold_id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('period_start_ms', 'bigint', (column) => column.notNull())
    .addColumn('characters', 'bigint', (column) => column.notNull())
    .addColumn('delivered', 'bigint', (column) => column.notNull())
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('is_expired', 'integer', (column) => column.notNull())
    .execute();
}
