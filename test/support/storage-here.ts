import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BLOBS_FOLDER } from '../../src/service/storage/blobs/blobs-folder.ts';
import { DiskBlobs } from '../../src/service/storage/blobs/disk-blobs.ts';
import { storageOf } from '../../src/service/storage/sql/sql-stores.ts';
import { openSqliteDatabase } from '../../src/service/storage/sqlite/sqlite-database.ts';
import { DATABASE_FILE } from '../../src/service/storage/sqlite/sqlite-file.ts';
import type { Storage } from '../../src/service/storage/storage.ts';

/**
 * The server's storage on SQLite, opened in the test's own thread: starting a thread for each of a
 * thousand tests takes minutes. Tests about threads, locks and processes use `openStorage`.
 */
export async function openStorageHere({ dataDir }: { dataDir: string }): Promise<Storage> {
  await mkdir(dataDir, { recursive: true });
  const database = await openSqliteDatabase(join(dataDir, DATABASE_FILE));
  return storageOf(database.stores, new DiskBlobs(join(dataDir, BLOBS_FOLDER)), () =>
    database.close(),
  );
}
