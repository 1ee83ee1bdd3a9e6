import type { SqliteDatabase, SqliteStatement } from 'kysely';
import type Database from 'libsql';

/** More than the program has texts of its own; lists of ids of every length must not pile up. */
const MAX_STATEMENTS = 200;
const READS_ONLY = /^\s*(select|explain)\b/i;
/** Never prepared for later: a pragma may take effect when prepared, not when run (SQLite, "PRAGMA"). */
const CONTROL = /^\s*(begin|commit|rollback|pragma)\b/i;

type Parameters = readonly unknown[];

/**
 * A connection that keeps its prepared statements by their text: preparing one costs more than
 * running it, and leaves more to the garbage collector. A statement lives through changes of the
 * schema, from whichever process: SQLite prepares it anew by itself.
 *
 * It also waits for the write lock before it writes, with `exec`, which ends what it began. A
 * prepared statement that cannot have the lock is left unfinished by libsql until the garbage
 * collector finds it, and as long SQLite commits nothing that the connection writes.
 */
export class SqliteConnection implements SqliteDatabase {
  readonly #connection: Database.Database;
  readonly #limit: number;
  /** The least recently used first. */
  readonly #kept = new Map<string, SqliteStatement>();

  /** @param connection owned by this from now on. */
  constructor(connection: Database.Database, limit = MAX_STATEMENTS) {
    this.#connection = connection;
    this.#limit = limit;
  }

  /** How many statements are kept. */
  get size(): number {
    return this.#kept.size;
  }

  /**
   * @returns for text that controls the connection, which may be several statements, one without rows.
   * @throws the database's error when the text is no SQL.
   */
  prepare(text: string): SqliteStatement {
    if (CONTROL.test(text)) return this.#controller(text);
    const statement = this.#kept.get(text) ?? this.#prepareAnew(text);
    this.#kept.delete(text);
    this.#kept.set(text, statement);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#limit && oldest !== undefined) this.#kept.delete(oldest);
    return statement;
  }

  close(): void {
    this.#kept.clear();
    this.#connection.close();
  }

  #prepareAnew(text: string): SqliteStatement {
    const statement = this.#prepareAlone(text);
    const around = READS_ONLY.test(text)
      ? <T>(work: () => T) => work()
      : <T>(work: () => T) => this.#locked(work);
    return {
      reader: statement.reader,
      all: (parameters: Parameters) =>
        this.#orForget(text, () => around(() => statement.all(parameters))),
      run: (parameters: Parameters) =>
        this.#orForget(text, () => around(() => statement.run(parameters))),
      // Read while others run, which may be the same text: it needs a statement of its own.
      iterate: (parameters: Parameters) => this.#prepareAlone(text).iterate(parameters),
    };
  }

  #controller(text: string): SqliteStatement {
    const run = () => {
      // A transaction that reads first could not write any more once another process has written.
      this.#connection.exec(text === 'begin' ? 'begin immediate' : text);
      return { changes: 0, lastInsertRowid: 0 };
    };
    // Kysely asks for rows only where `reader` promises some.
    return { reader: false, run, all: () => [], iterate: () => [].values() };
  }

  #locked<T>(write: () => T): T {
    const connection = this.#connection;
    if (connection.inTransaction) return write();
    connection.exec('begin immediate');
    try {
      const result = write();
      connection.exec('commit');
      return result;
    } catch (thrown) {
      if (connection.inTransaction) connection.exec('rollback');
      throw thrown;
    }
  }

  /** A statement that failed is prepared anew: what state it was left in is libsql's secret. */
  #orForget<T>(text: string, work: () => T): T {
    try {
      return work();
    } catch (thrown) {
      this.#kept.delete(text);
      throw thrown;
    }
  }

  #prepareAlone(text: string): SqliteStatement {
    return this.#connection.prepare(text) as unknown as SqliteStatement;
  }
}
