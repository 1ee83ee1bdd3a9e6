import type { Kysely } from 'kysely';

/**
 * An account's own voices and its settings of any voice. A library voice keeps its id in every
 * account that adopts it, so ids are unique within an account only.
 */
export async function voices(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('voice')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('voice_id', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('labels', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('voice_key', ['account_id', 'voice_id'])
    .execute();
  await database.schema
    .createTable('voice_sample')
    .addColumn('sample_id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('voice_id', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('file_name', 'text', (column) => column.notNull())
    .addColumn('mime_type', 'text', (column) => column.notNull())
    .addColumn('blob_key', 'text', (column) => column.notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('duration_ms', 'bigint', (column) => column.notNull())
    .addColumn('sample_rate', 'integer', (column) => column.notNull())
    .addColumn('level_dbfs', 'double precision', (column) => column.notNull())
    .addColumn('remove_background_noise', 'integer', (column) => column.notNull())
    .addForeignKeyConstraint(
      'voice_sample_of_voice',
      ['account_id', 'voice_id'],
      'voice',
      ['account_id', 'voice_id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await database.schema
    .createIndex('voice_sample_by_voice')
    .on('voice_sample')
    .columns(['account_id', 'voice_id', 'position'])
    .execute();
  await database.schema
    .createTable('voice_settings')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('voice_id', 'text', (column) => column.notNull())
    .addColumn('stability', 'double precision', (column) => column.notNull())
    .addColumn('similarity_boost', 'double precision', (column) => column.notNull())
    .addColumn('style', 'double precision', (column) => column.notNull())
    .addColumn('use_speaker_boost', 'integer', (column) => column.notNull())
    .addColumn('speed', 'double precision', (column) => column.notNull())
    .addPrimaryKeyConstraint('voice_settings_key', ['account_id', 'voice_id'])
    .execute();
}
