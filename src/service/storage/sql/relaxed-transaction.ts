import { CompiledQuery, type Kysely, SqliteAdapter, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

const raw = (text: string) => CompiledQuery.raw(text);

const CHECKPOINT = raw('pragma wal_checkpoint(passive)');
const RELAXED = raw('pragma synchronous = normal; pragma wal_autocheckpoint = 0');
/** The defaults: a full log is one of 1000 pages, 4 MB. */
const STRICT = raw('pragma wal_autocheckpoint = 1000; pragma synchronous = full');
const RELAXED_ON_POSTGRES = raw('set local synchronous_commit = off');

/**
 * A transaction whose commit does not wait for the disk: a crash of any process leaves it whole, a
 * power cut may take back those since the last `flushRelaxed`. For writes in between two words that
 * somebody listens to, where a slow disk would be heard (SQLite: "PRAGMA synchronous", "PRAGMA
 * wal_autocheckpoint"; PostgreSQL: "Asynchronous Commit").
 */
export function relaxedTransaction<T>(
  database: Kysely<Schema>,
  work: (transaction: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  return isSqlite(database) ? onSqlite(database, work) : onPostgres(database, work);
}

/** Puts what relaxed transactions wrote on the disk. PostgreSQL does that by itself, within a second. */
export async function flushRelaxed(database: Kysely<Schema>): Promise<void> {
  if (isSqlite(database)) await database.executeQuery(CHECKPOINT);
}

function isSqlite(database: Kysely<Schema>): boolean {
  return database.getExecutor().adapter instanceof SqliteAdapter;
}

/** SQLite has both as properties of the connection, which therefore must not be shared meanwhile. */
function onSqlite<T>(
  database: Kysely<Schema>,
  work: (transaction: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  return database.connection().execute(async (connection) => {
    await connection.executeQuery(RELAXED);
    try {
      return await connection.transaction().execute(work);
    } finally {
      await connection.executeQuery(STRICT);
    }
  });
}

function onPostgres<T>(
  database: Kysely<Schema>,
  work: (transaction: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  return database.transaction().execute(async (transaction) => {
    await transaction.executeQuery(RELAXED_ON_POSTGRES);
    return work(transaction);
  });
}
