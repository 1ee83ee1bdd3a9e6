import type { Kysely } from 'kysely';

/**
 * Characters charged, by hour, key, model and voice. A hold tells what its characters will count for;
 * one from before counts for 1970, where nobody looks.
 */
export async function hourlyUsage(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('hourly_usage')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('from_ms', 'bigint', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('model_id', 'text', (column) => column.notNull())
    .addColumn('voice_id', 'text', (column) => column.notNull())
    .addColumn('characters', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('hourly_usage_key', [
      'account_id',
      'from_ms',
      'key_id',
      'model_id',
      'voice_id',
    ])
    .execute();
  // What is summed up or dropped is looked for by its age alone.
  await database.schema
    .createIndex('hourly_usage_by_age')
    .on('hourly_usage')
    .column('from_ms')
    .execute();
  for (const [name, type, before] of [
    ['hour_start_ms', 'bigint', 0],
    ['model_id', 'text', ''],
    ['voice_id', 'text', ''],
  ] as const) {
    await database.schema
      .alterTable('character_hold')
      .addColumn(name, type, (column) => column.notNull().defaultTo(before))
      .execute();
  }
}
