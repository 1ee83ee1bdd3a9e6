import { chmod, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '../blob-store.ts';
import { storageOf } from '../sql/sql-stores.ts';
import { type Storage, StorageError } from '../storage.ts';
import { DATABASE_FILE, OWNER_ONLY_DIR, OWNER_ONLY_FILE } from './sqlite-file.ts';
import { SqliteThread } from './sqlite-thread.ts';

/**
 * State in one SQLite file, which several processes may share.
 *
 * @throws StorageError that names the file and what to do.
 */
export async function openSqliteStorage(dataDir: string, blobs: BlobStore): Promise<Storage> {
  const path = join(dataDir, DATABASE_FILE);
  try {
    await makePrivate(dataDir, path);
    const { thread, stores } = await SqliteThread.open({ path });
    return storageOf(stores, blobs, () => thread.close());
  } catch (thrown) {
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
