import { chmod, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, SqliteDialect, sql } from 'kysely';
import Database from 'libsql';
import type { BlobStore } from '../blob-store.ts';
import { migrate } from '../sql/migrate.ts';
import { NulFreeValues } from '../sql/nul-free-values.ts';
import type { Schema } from '../sql/schema.ts';
import { SqlStorage } from '../sql/sql-storage.ts';
import { type Storage, StorageError } from '../storage.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { BUSY_TIMEOUT_MS, DATABASE_FILE, OWNER_ONLY_DIR, OWNER_ONLY_FILE } from './sqlite-file.ts';

/**
 * State in one SQLite file, which several processes may share. The tables are those of `SqlStorage`.
 *
 * @throws StorageError that names the file and what to do.
 */
export async function openSqliteStorage(dataDir: string, blobs: BlobStore): Promise<Storage> {
  const path = join(dataDir, DATABASE_FILE);
  let database: Kysely<Schema> | undefined;
  try {
    await makePrivate(dataDir, path);
    const connection = new Database(path, { timeout: BUSY_TIMEOUT_MS });
    database = new Kysely<Schema>({
      dialect: new SqliteDialect({ database: new SqliteConnection(connection) }),
      plugins: [new NulFreeValues()],
    });
    // Readers then never wait for a writer, and a crash loses nothing that was committed.
    await sql`pragma journal_mode = wal`.execute(database);
    await sql`pragma foreign_keys = on`.execute(database);
    await migrateAlone(database);
    return new SqlStorage(database, blobs);
  } catch (thrown) {
    await database?.destroy();
    throw unusable(path, thrown);
  }
}

/** The file exists, with its rights, before SQLite opens it: SQLite gives its side files the same. */
async function makePrivate(dataDir: string, path: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: OWNER_ONLY_DIR });
  const file = await open(path, 'a', OWNER_ONLY_FILE);
  await file.close();
  await chmod(path, OWNER_ONLY_FILE);
}

/** `begin immediate` takes the write lock at once: a second process waits, then finds nothing to do. */
async function migrateAlone(database: Kysely<Schema>): Promise<void> {
  await database.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      await migrate(connection, Date.now);
      await sql`commit`.execute(connection);
    } catch (thrown) {
      await sql`rollback`.execute(connection);
      throw thrown;
    }
  });
}

function unusable(path: string, thrown: unknown): StorageError {
  if (thrown instanceof StorageError) return thrown;
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const advice =
    code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT'
      ? 'Move the file away to start afresh, or restore it from a backup.'
      : 'Make the folder writable, or choose another with SIDETONE_DATA_DIR.';
  return new StorageError(`Cannot use ${path}: ${reason}. ${advice}`, { cause: thrown });
}
