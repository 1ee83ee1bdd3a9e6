import { join } from 'node:path';
import type { BlobStore } from './blob-store.ts';
import { BLOBS_FOLDER } from './blobs/blobs-folder.ts';
import { DiskBlobs } from './blobs/disk-blobs.ts';
import { S3Blobs } from './blobs/s3-blobs.ts';
import { parseS3Url } from './blobs/s3-location.ts';
import { openPostgresStorage } from './postgres/postgres-storage.ts';
import { openSqliteStorage } from './sqlite/sqlite-storage.ts';
import type { Storage } from './storage.ts';

export interface StorageSettings {
  /** Folder of all state that is not elsewhere; made when missing. */
  readonly dataDir: string;
  /** Of a PostgreSQL database; without it, the database is a file in the folder. */
  readonly databaseUrl?: string | undefined;
  /** Of a bucket, with its keys; without it, blobs are files in the folder. */
  readonly s3Url?: string | undefined;
}

/**
 * Opens all state and brings its schema up to date.
 *
 * @throws StorageError when something cannot be used, or its content is not this program's.
 */
export async function openStorage(settings: StorageSettings): Promise<Storage> {
  const blobs = openBlobs(settings);
  const { dataDir, databaseUrl } = settings;
  return databaseUrl === undefined
    ? openSqliteStorage(dataDir, blobs)
    : openPostgresStorage(databaseUrl, blobs);
}

function openBlobs({ dataDir, s3Url }: StorageSettings): BlobStore {
  const folder = join(dataDir, BLOBS_FOLDER);
  return s3Url === undefined ? new DiskBlobs(folder) : new S3Blobs(parseS3Url(s3Url), folder);
}
