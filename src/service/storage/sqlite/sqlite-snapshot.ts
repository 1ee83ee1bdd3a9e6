import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { StorageError } from '../storage.ts';
import { BUSY_TIMEOUT_MS, DATABASE_FILE, OWNER_ONLY_FILE } from './sqlite-file.ts';

/**
 * Copies the database of a data folder as it is at one moment, while servers go on using it.
 *
 * @param targetDir exists, and holds no database yet.
 * @throws StorageError when the folder holds no database, or a damaged one.
 */
export async function snapshotSqlite(dataDir: string, targetDir: string): Promise<void> {
  const source = join(dataDir, DATABASE_FILE);
  const target = join(targetDir, DATABASE_FILE);
  if (!existsSync(source)) throw new StorageError(`There is no database at ${source}.`);
  // SQLite writes into an empty file that is there already, and leaves its rights as they are.
  const file = await open(target, 'wx', OWNER_ONLY_FILE);
  try {
    const database = new Database(source, { timeout: BUSY_TIMEOUT_MS });
    try {
      database.prepare('vacuum into ?').run(target);
    } finally {
      database.close();
    }
    await file.sync();
  } catch (thrown) {
    throw new StorageError(`${source} cannot be copied: ${(thrown as Error).message}.`, {
      cause: thrown,
    });
  } finally {
    await file.close();
  }
}

/** @throws StorageError when the folder holds no database, or a damaged one. */
export function checkSqlite(dir: string): void {
  const path = join(dir, DATABASE_FILE);
  if (!existsSync(path)) throw new StorageError(`There is no database at ${path}.`);
  let problem: string;
  try {
    const database = new Database(path, { readonly: true });
    try {
      problem = String(
        Object.values(database.prepare('pragma integrity_check').get() as object)[0],
      );
    } finally {
      database.close();
    }
  } catch (thrown) {
    problem = (thrown as Error).message;
  }
  if (problem !== 'ok') throw new StorageError(`The database ${path} is damaged: ${problem}.`);
}
