import Database from 'libsql';
import { BoundedMap } from '../../../domain/bounded-map.ts';

/** More than the program has texts of its own; lists of ids of every length must not pile up. */
const MAX_STATEMENTS = 200;

type Statement = ReturnType<Database.Database['prepare']>;

/** Rows of a query, or how many rows a write has changed. */
export interface StatementResult {
  readonly rows: unknown[];
  /** Undefined for statements that return rows. */
  readonly changes: number | undefined;
}

/**
 * A connection that keeps its prepared statements by their text: preparing one costs more than
 * running it, and leaves more to the garbage collector. A statement survives changes of the schema,
 * by any process: SQLite prepares it again by itself.
 *
 * It never waits for a lock: a statement that needs one held by another process fails at once with
 * the code `SQLITE_BUSY`, and may be tried again.
 */
export class SqliteConnection {
  readonly #database: Database.Database;
  readonly #kept: BoundedMap<string, Statement>;

  /** @param path of the database file; made when missing. */
  constructor(path: string, limit = MAX_STATEMENTS) {
    this.#database = new Database(path, { timeout: 0 });
    this.#kept = new BoundedMap(limit);
  }

  /** How many statements are kept. */
  get size(): number {
    return this.#kept.size;
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  /**
   * Runs one statement. A write must be part of a transaction (see `execute`).
   *
   * @throws the database's error, with its `code`.
   */
  query(text: string, parameters: readonly unknown[] = []): StatementResult {
    const statement = this.#prepare(text);
    try {
      return statement.reader
        ? { rows: statement.all(parameters), changes: undefined }
        : { rows: [], changes: statement.run(parameters).changes };
    } catch (thrown) {
      // libsql does not say what state a statement that failed is in; the next run prepares it anew.
      this.#kept.delete(text);
      throw thrown;
    }
  }

  /**
   * Runs text that controls the connection (transactions, pragmas) without keeping it: a pragma may
   * take effect when it is prepared, not when it runs (SQLite, "PRAGMA"). Also the only safe way to
   * ask for the write lock: a prepared write that cannot have it stays unfinished in libsql until the
   * garbage collector finds it, and until then SQLite commits nothing on this connection.
   */
  execute(text: string): void {
    this.#database.exec(text);
  }

  close(): void {
    this.#kept.clear();
    this.#database.close();
  }

  #prepare(text: string): Statement {
    const known = this.#kept.use(text);
    if (known) return known;
    const statement = this.#database.prepare(text);
    this.#kept.set(text, statement);
    return statement;
  }
}
