import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqliteConnection } from './sqlite-connection.ts';
import type { WriteLock, WriteTurn } from './write-lock.ts';

const READS_ONLY = /^\s*(select|explain)\b/i;
const PRAGMA = /^\s*pragma\b/i;

/**
 * SQLite for Kysely, on one connection that many callers share by a `WriteLock`. Kysely's own driver
 * would keep readers waiting for as long as a writer waits for another process.
 */
export function sqliteDialect(connection: SqliteConnection, lock: WriteLock): Dialect {
  return {
    createDriver: () => new SharedConnectionDriver(connection, lock),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (database) => new SqliteIntrospector(database),
  };
}

class SharedConnectionDriver implements Driver {
  readonly #connection: SqliteConnection;
  readonly #lock: WriteLock;

  constructor(connection: SqliteConnection, lock: WriteLock) {
    this.#connection = connection;
    this.#lock = lock;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Lease> {
    return new Lease(this.#connection, this.#lock);
  }

  beginTransaction(lease: Lease): Promise<void> {
    return lease.begin();
  }

  async commitTransaction(lease: Lease): Promise<void> {
    lease.commit();
  }

  async rollbackTransaction(lease: Lease): Promise<void> {
    lease.rollback();
  }

  async releaseConnection(lease: Lease): Promise<void> {
    lease.release();
  }

  async destroy(): Promise<void> {
    this.#connection.close();
  }
}

/** What Kysely takes for a connection: the right to use the one there is, for as long as it is held. */
class Lease implements DatabaseConnection {
  readonly #connection: SqliteConnection;
  readonly #lock: WriteLock;
  #turn: WriteTurn | undefined;
  #endTransaction: (() => void) | undefined;

  constructor(connection: SqliteConnection, lock: WriteLock) {
    this.#connection = connection;
    this.#lock = lock;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const run = () => this.#run<R>(sql, parameters);
    if (this.#endTransaction) return run();
    if (READS_ONLY.test(sql)) return this.#lock.read(run);
    if (PRAGMA.test(sql)) {
      return this.#lock.whenFree(await this.#takeTurn(), run);
    }
    await this.begin();
    try {
      const result = run();
      this.commit();
      return result;
    } catch (thrown) {
      this.rollback();
      throw thrown;
    }
  }

  // biome-ignore lint/correctness/useYield: Kysely asks for a generator, and nothing here streams.
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('Rows of SQLite are not streamed.');
  }

  /** A transaction that read first could not write any more once another process has written. */
  async begin(): Promise<void> {
    const turn = await this.#takeTurn();
    this.#endTransaction = await this.#lock.begin(turn, () =>
      this.#connection.execute('begin immediate'),
    );
  }

  /** When it fails, the transaction is to be rolled back. */
  commit(): void {
    this.#connection.execute('commit');
    this.#leaveTransaction();
  }

  rollback(): void {
    try {
      // A commit that failed may have rolled back by itself.
      if (this.#connection.inTransaction) this.#connection.execute('rollback');
    } finally {
      this.#leaveTransaction();
    }
  }

  release(): void {
    this.#turn?.end();
    this.#turn = undefined;
  }

  async #takeTurn(): Promise<WriteTurn> {
    this.#turn ??= await this.#lock.takeTurn();
    return this.#turn;
  }

  #leaveTransaction(): void {
    this.#endTransaction?.();
    this.#endTransaction = undefined;
  }

  #run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    if (PRAGMA.test(sql)) {
      this.#connection.execute(sql);
      return { rows: [] };
    }
    const { rows, changes } = this.#connection.query(sql, parameters);
    return {
      rows: rows as R[],
      ...(changes !== undefined && { numAffectedRows: BigInt(changes) }),
    };
  }
}
