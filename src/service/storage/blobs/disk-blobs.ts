import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ByteRange } from '../../../domain/byte-range.ts';
import type { BlobStore } from '../blob-store.ts';
import { parseBlobKey } from './blob-key.ts';
import { Spool } from './spool.ts';

/** Where content waits until it is complete; no space of keys starts with a dot. */
const SPOOL_FOLDER = '.unfinished';
const OWNER_ONLY_DIR = 0o700;

/** Blobs as files, 256 folders to a space. A file appears by a rename: whole, or not at all. */
export class DiskBlobs implements BlobStore {
  readonly #folder: string;
  readonly #spool: Spool;

  /** @param folder made when the first blob comes. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#spool = new Spool(join(folder, SPOOL_FOLDER));
  }

  async put(key: string, content: AsyncIterable<Uint8Array>): Promise<number> {
    const path = this.#pathOf(key);
    const { path: spooled, bytes } = await this.#spool.write(content);
    const made = await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY_DIR });
    await rename(spooled, path);
    // A rename lasts once its folder is on the disk, and so does a new folder (fsync(2)).
    await syncFolder(dirname(path));
    if (made !== undefined) await this.#syncParents(dirname(path));
    return bytes;
  }

  async get(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const file = await open(this.#pathOf(key)).catch(undefinedWhenMissing);
    return file?.createReadStream({ ...range });
  }

  async size(key: string): Promise<number | undefined> {
    const found = await stat(this.#pathOf(key)).catch(undefinedWhenMissing);
    return found?.size;
  }

  async delete(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  discardUnfinished(beforeMs: number): Promise<void> {
    return this.#spool.discardBefore(beforeMs);
  }

  async #syncParents(shardFolder: string): Promise<void> {
    await syncFolder(dirname(shardFolder));
    await syncFolder(this.#folder);
  }

  #pathOf(key: string): string {
    const { space, name } = parseBlobKey(key);
    const shard = createHash('sha256').update(key).digest('hex').slice(0, 2);
    return join(this.#folder, space, shard, name);
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function undefinedWhenMissing(thrown: NodeJS.ErrnoException): undefined {
  if (thrown.code !== 'ENOENT') throw thrown;
}
