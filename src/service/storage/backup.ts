import { existsSync, readFileSync } from 'node:fs';
import { constants, copyFile, cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { SERVER_SECRET_FILE } from '../../domain/webhook.ts';
import { BLOBS_FOLDER } from './blobs/blobs-folder.ts';
import { DATABASE_FILE, OWNER_ONLY_DIR } from './sqlite/sqlite-file.ts';
import { checkSqlite, snapshotSqlite } from './sqlite/sqlite-snapshot.ts';
import { StorageError } from './storage.ts';

/** What a backup holds. */
export interface BackupSummary {
  readonly blobs: number;
  readonly bytes: number;
}

/**
 * Copies the state of a data folder while servers go on using it. The copy is a data folder itself.
 * The database comes first, as it is at one moment, then the blobs that were there by then: no item
 * misses its audio. The server's secret file goes with them, so that webhooks can still be signed: a
 * backup is as confidential as the folder. One that was broken off is never found under its name.
 *
 * @param target must not exist yet.
 * @throws StorageError.
 */
export async function backUp(dataDir: string, target: string): Promise<BackupSummary> {
  if (existsSync(target)) {
    throw new StorageError(`${target} is there already. Choose a name that is not.`);
  }
  const partial = `${resolve(target)}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: OWNER_ONLY_DIR });
  await snapshotSqlite(dataDir, partial);
  await copyFile(join(dataDir, SERVER_SECRET_FILE), join(partial, SERVER_SECRET_FILE)).catch(
    undefinedWhenMissing,
  );
  const summary = await copyBlobs(dataDir, partial, Date.now());
  await rename(partial, target);
  const { size } = await stat(join(target, DATABASE_FILE));
  return { ...summary, bytes: summary.bytes + size };
}

/**
 * Brings the state of a backup into a data folder that has none. No server may run on it meanwhile.
 *
 * @throws StorageError when there is state already, or the backup is damaged.
 */
export async function restore(backup: string, dataDir: string): Promise<void> {
  checkSqlite(backup);
  const inTheWay = [DATABASE_FILE, BLOBS_FOLDER, SERVER_SECRET_FILE]
    .map((name) => join(dataDir, name))
    .filter((path) => existsSync(path) && !isSameSecret(path, backup));
  if (inTheWay.length > 0) {
    throw new StorageError(
      `${dataDir} holds state already. Stop the server and move ${inTheWay.join(' and ')} away first.`,
    );
  }
  const partial = join(dataDir, '.restoring');
  await rm(partial, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true, mode: OWNER_ONLY_DIR });
  await cp(backup, partial, { recursive: true });
  checkSqlite(partial);
  // The database last: while it is not there, nothing has been restored.
  for (const name of [SERVER_SECRET_FILE, BLOBS_FOLDER, DATABASE_FILE]) {
    if (existsSync(join(partial, name))) await rename(join(partial, name), join(dataDir, name));
  }
  await rm(partial, { recursive: true });
}

/** Whether a path is a secret file that the restored state can do with: that of the backup itself. */
function isSameSecret(path: string, backup: string): boolean {
  if (basename(path) !== SERVER_SECRET_FILE) return false;
  const kept = join(backup, SERVER_SECRET_FILE);
  return !existsSync(kept) || readFileSync(kept).equals(readFileSync(path));
}

async function copyBlobs(dataDir: string, target: string, untilMs: number): Promise<BackupSummary> {
  let blobs = 0;
  let bytes = 0;
  for (const path of await blobPaths(dataDir)) {
    const found = await stat(join(dataDir, path)).catch(undefinedWhenMissing);
    // Those that appear later belong to nothing that the database knows of.
    if (!found?.isFile() || found.ctimeMs > untilMs) continue;
    await mkdir(dirname(join(target, path)), { recursive: true, mode: OWNER_ONLY_DIR });
    await copyFile(join(dataDir, path), join(target, path), constants.COPYFILE_FICLONE);
    blobs++;
    bytes += found.size;
  }
  return { blobs, bytes };
}

/** Relative to the data folder; what is still being written is left out. */
async function blobPaths(dataDir: string): Promise<readonly string[]> {
  const folder = join(dataDir, BLOBS_FOLDER);
  const spaces = (await readdir(folder).catch(undefinedWhenMissing)) ?? [];
  const paths: string[] = [];
  for (const space of spaces.filter((name) => !name.startsWith('.'))) {
    const below = await readdir(join(folder, space), { recursive: true });
    paths.push(...below.map((path) => join(BLOBS_FOLDER, space, path)));
  }
  return paths;
}

/** A file may be deleted while others are copied. */
function undefinedWhenMissing(thrown: NodeJS.ErrnoException): undefined {
  if (thrown.code !== 'ENOENT') throw thrown;
}
