import { Kysely, sql } from 'kysely';
import { migrate } from '../sql/migrate.ts';
import { NulFreeValues } from '../sql/nul-free-values.ts';
import type { Schema } from '../sql/schema.ts';
import { openSqlStores, type SqlStores } from '../sql/sql-stores.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { BUSY_TIMEOUT_MS } from './sqlite-file.ts';
import { WriteLock } from './write-lock.ts';

/** The database in the thread that opened it. */
export interface SqliteDatabase {
  readonly stores: SqlStores;
  /** Fails the writes that wait for another process's lock. Idempotent. */
  stopWaiting(): void;
  /** Leaves everything in the database file itself, as far as other processes allow it. Called once. */
  close(): Promise<void>;
}

/**
 * Opens a database file in this thread and brings its schema up to date. Its work blocks the thread:
 * the server opens it in a thread of its own (`SqliteThread`).
 *
 * @throws StorageError, or what the database says.
 */
export async function openSqliteDatabase(path: string): Promise<SqliteDatabase> {
  const lock = new WriteLock(BUSY_TIMEOUT_MS);
  const database = new Kysely<Schema>({
    dialect: sqliteDialect(new SqliteConnection(path), lock),
    plugins: [new NulFreeValues()],
  });
  try {
    const stores = await prepare(database);
    return {
      stores,
      stopWaiting: () => lock.close(),
      close: async () => {
        await sql`pragma wal_checkpoint(truncate)`.execute(database).catch(() => undefined);
        await database.destroy();
      },
    };
  } catch (thrown) {
    await database.destroy();
    throw thrown;
  }
}

async function prepare(opened: Kysely<Schema>): Promise<SqlStores> {
  // Readers then never wait for a writer, and a crash loses nothing that was committed.
  await sql`pragma journal_mode = wal`.execute(opened);
  await sql`pragma foreign_keys = on`.execute(opened);
  // The write lock is taken first: a second process waits, then finds nothing to do.
  await opened.transaction().execute((transaction) => migrate(transaction, Date.now));
  return openSqlStores(opened);
}
