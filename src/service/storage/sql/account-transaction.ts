import { type Kysely, PostgresAdapter, sql, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** What a transaction counts before it adds to it. */
type Counted = 'voice' | 'dictionary' | 'webhook' | 'api_key' | 'single_use_token';

/**
 * A transaction that counts what an owner has stored and then adds to it. Two of the same owner follow
 * one another, in any number of processes, so that a limit cannot be passed by asking twice at once.
 * SQLite has one writer anyway: every transaction begins with the write lock. PostgreSQL takes a lock
 * that lasts as long as the transaction ("Advisory Locks").
 *
 * @param ownerId an account, or a key where keys have a limit of their own.
 */
export function accountTransaction<T>(
  database: Kysely<Schema>,
  counted: Counted,
  ownerId: string,
  work: (transaction: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  return database.transaction().execute(async (transaction) => {
    if (transaction.getExecutor().adapter instanceof PostgresAdapter) {
      const lock = `${counted} ${ownerId}`;
      await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(transaction);
    }
    return work(transaction);
  });
}
