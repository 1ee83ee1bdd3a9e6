import type { Kysely } from 'kysely';

/**
 * Deliveries are claimed webhook by webhook, the longest due first, and listed and pruned by age.
 * No foreign key: an event told while its webhook is being removed must not fail, and is pruned.
 */
export async function webhooks(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('webhook')
    .addColumn('webhook_id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('sealed_secret', 'text', (column) => column.notNull())
    .addColumn('sealed_headers', 'text', (column) => column.notNull())
    .addColumn('events', 'text', (column) => column.notNull())
    .addColumn('is_disabled', 'integer', (column) => column.notNull())
    .addColumn('is_auto_disabled', 'integer', (column) => column.notNull())
    .addColumn('retry_enabled', 'integer', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('enabled_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('consecutive_failures', 'integer', (column) => column.notNull())
    .addColumn('last_success_at_ms', 'bigint')
    .addColumn('last_failure_at_ms', 'bigint')
    .addColumn('last_failure_status', 'integer')
    .execute();
  await database.schema
    .createIndex('webhook_by_account')
    .on('webhook')
    .columns(['account_id', 'created_at_ms'])
    .execute();
  await database.schema
    .createTable('webhook_delivery')
    .addColumn('delivery_id', 'text', (column) => column.primaryKey())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('due_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('lease_id', 'text')
    .addColumn('last_attempt_at_ms', 'bigint')
    .addColumn('last_status', 'integer')
    .addColumn('last_problem', 'text')
    .execute();
  for (const [name, columns] of [
    ['webhook_delivery_by_due', ['webhook_id', 'state', 'due_at_ms']],
    ['webhook_delivery_by_webhook', ['webhook_id', 'created_at_ms', 'delivery_id']],
    ['webhook_delivery_by_age', ['created_at_ms']],
  ] as const) {
    await database.schema
      .createIndex(name)
      .on('webhook_delivery')
      .columns([...columns])
      .execute();
  }
}
