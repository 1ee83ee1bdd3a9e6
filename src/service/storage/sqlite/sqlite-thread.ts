import { SupervisedThread } from '../../../threads/supervised-thread.ts';
import { threadEntry } from '../../../threads/thread-entry.ts';
import type { SqlStores } from '../sql/sql-stores.ts';
import { StorageError } from '../storage.ts';
import {
  type FromSqliteThread,
  fromThreadError,
  type SqliteThreadData,
  type StoreName,
  type ToSqliteThread,
} from './sqlite-protocol.ts';

/** What the thread leaves undone by then is left to the next process, as after a crash. */
const CLOSE_LIMIT_MS = 2_000;

type Methods = Extract<FromSqliteThread, { type: 'ready' }>['methods'];

interface Call {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * The SQLite database in a thread of its own: each method of a store is one message there and one
 * back. A thread that dies is replaced; what it had not answered fails, and may have happened.
 */
export class SqliteThread {
  readonly #thread: SupervisedThread<ToSqliteThread, FromSqliteThread>;
  readonly #calls = new Map<number, Call>();
  /** Posted when a thread is ready for it. */
  #unsent: ToSqliteThread[] = [];
  #nextId = 0;
  #isReady = false;
  #isClosed = false;
  #onOpened: (methods: Methods) => void = () => undefined;
  #onUnusable: (reason: Error) => void = () => undefined;
  #onClosed: () => void = () => undefined;

  private constructor(data: SqliteThreadData) {
    this.#thread = new SupervisedThread({
      entry: threadEntry('service/storage/sqlite/sqlite-worker.ts'),
      name: 'sqlite',
      workerData: data,
      onStart: () => undefined,
      onMessage: (message: FromSqliteThread) => this.#receive(message),
      onCrash: (reason) => this.#crashed(reason),
    });
  }

  /**
   * Opens a database file and brings its schema up to date.
   *
   * @throws StorageError, or an Error with the database's code.
   */
  static async open(data: SqliteThreadData): Promise<{ thread: SqliteThread; stores: SqlStores }> {
    const thread = new SqliteThread(data);
    try {
      const methods = await new Promise<Methods>((resolve, reject) => {
        thread.#onOpened = resolve;
        thread.#onUnusable = reject;
      });
      return { thread, stores: thread.#storesWith(methods) };
    } catch (thrown) {
      await thread.#thread.close();
      throw thrown;
    }
  }

  /** Ends the thread as a crash would; it is replaced. */
  kill(): Promise<void> {
    return this.#thread.kill();
  }

  /** Writes the log back into the database file and ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = new Promise<void>((resolve) => {
      this.#onClosed = resolve;
      setTimeout(resolve, CLOSE_LIMIT_MS).unref();
    });
    if (this.#isReady) {
      this.#thread.post({ type: 'close' });
      await closed;
    }
    await this.#thread.close();
    this.#failAll(closedError());
  }

  #storesWith(methods: Methods): SqlStores {
    const stores = Object.entries(methods).map(([store, names]) => {
      const called = names.map((name) => [
        name,
        (...values: readonly unknown[]) => this.#call(store as StoreName, name, values),
      ]);
      return [store, Object.fromEntries(called)];
    });
    return Object.fromEntries(stores) as SqlStores;
  }

  #call(store: StoreName, method: string, values: readonly unknown[]): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(closedError());
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#calls.set(id, { resolve, reject });
      const message = { type: 'call', id, store, method, values } as const;
      if (this.#isReady) this.#thread.post(message);
      else this.#unsent.push(message);
    });
  }

  #receive(message: FromSqliteThread): void {
    if (message.type === 'ready') {
      this.#isReady = true;
      this.#onOpened(message.methods);
      for (const unsent of this.#unsent.splice(0)) this.#thread.post(unsent);
    } else if (message.type === 'unusable') {
      const error = fromThreadError(message.error);
      this.#onUnusable(error);
      this.#failAll(error);
    } else if (message.type === 'closed') {
      this.#onClosed();
    } else {
      const call = this.#calls.get(message.id);
      this.#calls.delete(message.id);
      if (message.type === 'result') call?.resolve(message.value);
      else call?.reject(fromThreadError(message.error));
    }
  }

  #crashed(cause: Error): void {
    this.#isReady = false;
    this.#onUnusable(cause);
    this.#onClosed();
    this.#failAll(new StorageError('The thread of the database died; try again.', { cause }));
  }

  #failAll(reason: Error): void {
    this.#unsent = [];
    for (const { reject } of this.#calls.values()) reject(reason);
    this.#calls.clear();
  }
}

function closedError(): StorageError {
  return new StorageError('The database was closed.');
}
