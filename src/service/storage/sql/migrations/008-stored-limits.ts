import { type Kysely, sql } from 'kysely';

/** What limits on stored things are counted by: the size of each version's rules, and two indexes. */
export async function storedLimits(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable('dictionary_version')
    .addColumn('size_bytes', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  // In characters, which is close enough for what was stored before.
  await sql`update dictionary_version set size_bytes = length(rules)`.execute(database);
  await database.schema
    .createIndex('single_use_token_by_key')
    .on('single_use_token')
    .columns(['key_hash', 'expires_at_ms'])
    .execute();
  // Holds all that the sum of an account's audio needs, so that no text is read for it.
  await database.schema
    .createIndex('history_item_audio_bytes')
    .on('history_item')
    .columns(['account_id', 'history_item_id', 'audio_bytes'])
    .where('hidden_at_ms' as never, 'is', null)
    .execute();
}
