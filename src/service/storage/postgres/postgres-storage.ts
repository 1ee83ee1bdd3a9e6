import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { BlobStore } from '../blob-store.ts';
import { migrate } from '../sql/migrate.ts';
import { NulFreeValues } from '../sql/nul-free-values.ts';
import type { Schema } from '../sql/schema.ts';
import { openSqlStores, storageOf } from '../sql/sql-stores.ts';
import { type Storage, StorageError } from '../storage.ts';

const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 10_000;
/** Any number that nothing else in the same database locks: "Sidetone" in telephone keys. */
const MIGRATION_LOCK = 74_338_663;
/** Types that the driver gives as text because they may exceed a double: ours count and tell time. */
const NUMBER_TYPES: ReadonlySet<number> = new Set([
  pg.types.builtins.INT8,
  pg.types.builtins.NUMERIC,
]);

/**
 * State in a PostgreSQL database, which several servers may share.
 *
 * @param url `postgresql://user:password@host:port/database?sslmode=…`.
 * @throws StorageError that names the server, never the password, and what to do.
 */
export async function openPostgresStorage(url: string, blobs: BlobStore): Promise<Storage> {
  let opened: Kysely<Schema> | undefined;
  try {
    const database = new Kysely<Schema>({
      dialect: new PostgresDialect({ pool: openPool(url) }),
      plugins: [new NulFreeValues()],
    });
    opened = database;
    await migrateAlone(database);
    return storageOf(openSqlStores(database), blobs, () => database.destroy());
  } catch (thrown) {
    await opened?.destroy();
    throw unusable(url, thrown);
  }
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'sidetone',
    types: { getTypeParser },
  });
  // A connection that breaks while idle is replaced by the next query; unheard, it ends the process.
  pool.on('error', () => undefined);
  return pool;
}

function getTypeParser(type: number, format?: 'text' | 'binary') {
  return NUMBER_TYPES.has(type) ? Number : pg.types.getTypeParser(type, format);
}

/** The lock lasts as long as the transaction: a second server waits, then finds nothing to do. */
async function migrateAlone(database: Kysely<Schema>): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
    await migrate(transaction, Date.now);
  });
}

function unusable(url: string, thrown: unknown): StorageError {
  if (thrown instanceof StorageError) return thrown;
  const place = URL.canParse(url) ? ` at ${new URL(url).host}${new URL(url).pathname}` : '';
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new StorageError(
    `Cannot use the PostgreSQL database${place}: ${reason}. Check SIDETONE_DATABASE_URL, that the server runs, and that the user may create tables.`,
    { cause: thrown },
  );
}
