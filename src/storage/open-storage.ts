import { openSqliteStorage } from './sqlite/sqlite-storage.ts';
import type { Storage } from './storage.ts';

/**
 * Opens the state kept in a folder, which is made when missing, and brings its schema up to date.
 *
 * @throws StorageError when the folder cannot be used, or its content is not this program's.
 */
export function openStorage(settings: { readonly dataDir: string }): Promise<Storage> {
  return openSqliteStorage(settings.dataDir);
}
