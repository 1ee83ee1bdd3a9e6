import type { Kysely } from 'kysely';

/** Ids sort by time, so one index serves pages in both directions. The longest column comes last. */
export async function history(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('history_item')
    .addColumn('history_item_id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('hidden_at_ms', 'bigint')
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('voice_id', 'text', (column) => column.notNull())
    .addColumn('voice_name', 'text', (column) => column.notNull())
    .addColumn('voice_category', 'text', (column) => column.notNull())
    .addColumn('model_id', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('content_type', 'text', (column) => column.notNull())
    .addColumn('output_format', 'text', (column) => column.notNull())
    .addColumn('audio_bytes', 'bigint', (column) => column.notNull())
    .addColumn('characters_before', 'bigint', (column) => column.notNull())
    .addColumn('characters_after', 'bigint', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('search_text', 'text', (column) => column.notNull())
    .addColumn('alignments', 'text')
    .execute();
  await database.schema
    .createIndex('history_item_by_account')
    .on('history_item')
    .columns(['account_id', 'history_item_id'])
    .execute();
  await database.schema
    .createIndex('history_item_by_age')
    .on('history_item')
    .column('created_at_ms')
    .execute();
  await database.schema
    .createIndex('history_item_hidden')
    .on('history_item')
    .column('hidden_at_ms')
    .where('hidden_at_ms' as never, 'is not', null)
    .execute();
}
