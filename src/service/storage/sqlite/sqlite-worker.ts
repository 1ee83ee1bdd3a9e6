// The thread of the database: nothing that SQLite does, and no lock of another process, holds up audio.
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Kysely, sql } from 'kysely';
import { migrate } from '../sql/migrate.ts';
import { NulFreeValues } from '../sql/nul-free-values.ts';
import type { Schema } from '../sql/schema.ts';
import { openSqlStores, type SqlStores } from '../sql/sql-stores.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { BUSY_TIMEOUT_MS } from './sqlite-file.ts';
import {
  type FromSqliteThread,
  type SqliteThreadData,
  type StoreName,
  type ToSqliteThread,
  toWireError,
} from './sqlite-protocol.ts';
import { WriteLock } from './write-lock.ts';

const UNUSABLE_PAUSE_MS = 1_000;

type Call = Extract<ToSqliteThread, { type: 'call' }>;
type Methods = Record<string, (...values: readonly unknown[]) => Promise<unknown>>;

const { path } = workerData as SqliteThreadData;
const lock = new WriteLock(BUSY_TIMEOUT_MS);
const running = new Set<Promise<void>>();
let database: Kysely<Schema> | undefined;

try {
  database = new Kysely<Schema>({
    dialect: sqliteDialect(new SqliteConnection(path), lock),
    plugins: [new NulFreeValues()],
  });
  serve(await prepare(database), database);
} catch (thrown) {
  await database?.destroy();
  post({ type: 'unusable', error: toWireError(thrown) });
  // A replacement of a thread that died finds the same at once: the next one comes later.
  await sleep(UNUSABLE_PAUSE_MS);
}

/** @throws StorageError, or what the database says. */
async function prepare(opened: Kysely<Schema>): Promise<SqlStores> {
  // Readers then never wait for a writer, and a crash loses nothing that was committed.
  await sql`pragma journal_mode = wal`.execute(opened);
  await sql`pragma foreign_keys = on`.execute(opened);
  // The write lock is taken first: a second process waits, then finds nothing to do.
  await opened.transaction().execute((transaction) => migrate(transaction, Date.now));
  return openSqlStores(opened);
}

function serve(stores: SqlStores, opened: Kysely<Schema>): void {
  parentPort?.on('message', (message: ToSqliteThread) => {
    if (message.type === 'close') {
      void close(opened);
      return;
    }
    const work = answer(stores, message).finally(() => running.delete(work));
    running.add(work);
  });
  const methods = Object.fromEntries(
    Object.entries(stores).map(([name, store]) => [name, methodsOf(store)]),
  ) as Record<StoreName, readonly string[]>;
  post({ type: 'ready', methods });
}

async function answer(stores: SqlStores, { id, store, method, values }: Call): Promise<void> {
  try {
    const methods = stores[store] as unknown as Methods;
    post({ type: 'result', id, value: await methods[method]?.(...values) });
  } catch (thrown) {
    post({ type: 'failure', id, error: toWireError(thrown) });
  }
}

/** Leaves everything in the database file itself, as far as other processes allow it. */
async function close(opened: Kysely<Schema>): Promise<void> {
  lock.close();
  await Promise.all(running);
  await sql`pragma wal_checkpoint(truncate)`.execute(opened).catch(() => undefined);
  await opened.destroy();
  post({ type: 'closed' });
}

function methodsOf(store: object): readonly string[] {
  return Object.getOwnPropertyNames(Object.getPrototypeOf(store)).filter(
    (name) => name !== 'constructor',
  );
}

function post(message: FromSqliteThread): void {
  parentPort?.postMessage(message);
}
