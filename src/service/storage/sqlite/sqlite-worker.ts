// The thread of the database: nothing that SQLite does, and no lock of another process, holds up audio.
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { SqlStores } from '../sql/sql-stores.ts';
import { openSqliteDatabase, type SqliteDatabase } from './sqlite-database.ts';
import {
  type FromSqliteThread,
  type SqliteThreadData,
  type StoreName,
  type ToSqliteThread,
  toThreadError,
} from './sqlite-protocol.ts';

const UNUSABLE_PAUSE_MS = 1_000;

type Call = Extract<ToSqliteThread, { type: 'call' }>;
type Methods = Record<string, (...values: readonly unknown[]) => Promise<unknown>>;

const { path } = workerData as SqliteThreadData;
const running = new Set<Promise<void>>();

try {
  serve(await openSqliteDatabase(path));
} catch (thrown) {
  post({ type: 'unusable', error: toThreadError(thrown) });
  // A replacement of a thread that died finds the same at once: the next one comes later.
  await sleep(UNUSABLE_PAUSE_MS);
}

function serve(database: SqliteDatabase): void {
  const { stores } = database;
  parentPort?.on('message', (message: ToSqliteThread) => {
    if (message.type === 'close') {
      void close(database);
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
    post({ type: 'failure', id, error: toThreadError(thrown) });
  }
}

async function close(database: SqliteDatabase): Promise<void> {
  database.stopWaiting();
  await Promise.all(running);
  await database.close();
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
