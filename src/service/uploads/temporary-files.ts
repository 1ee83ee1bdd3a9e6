import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RandomAccessFile } from '../../domain/uploaded-file.ts';

const OWNER_ONLY_DIR = 0o700;
const OWNER_ONLY_FILE = 0o600;

/** Content on the disk, for as long as it is open. */
export interface TemporaryFile extends RandomAccessFile {
  readonly sha256: string;
  /** Gives the disk space back. Idempotent. */
  close(): Promise<void>;
}

/**
 * Files without a name: each is removed from its folder as soon as it is open, so that the system frees
 * its space when it is closed, and also when the process is killed.
 */
export class TemporaryFiles {
  readonly #folder: string;

  /** @param folder made when the first file comes; nothing else may lie in it. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Writes content to the disk as it comes.
   *
   * @throws what the content throws, or the system's error; nothing is left open then.
   */
  async write(content: AsyncIterable<Uint8Array>): Promise<TemporaryFile> {
    const handle = await this.#open();
    try {
      const hash = createHash('sha256');
      let sizeBytes = 0;
      for await (const piece of content) {
        await handle.writeFile(piece);
        hash.update(piece);
        sizeBytes += piece.length;
      }
      return new OpenFile(handle, sizeBytes, hash.digest('hex'));
    } catch (thrown) {
      await handle.close();
      throw thrown;
    }
  }

  /** Removes what processes left that died while they opened a file. Files in use have no name. */
  async sweep(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) await rm(join(this.#folder, name), { force: true });
  }

  async #open(): Promise<FileHandle> {
    await mkdir(this.#folder, { recursive: true, mode: OWNER_ONLY_DIR });
    const path = join(this.#folder, randomUUID());
    const handle = await open(path, 'wx+', OWNER_ONLY_FILE);
    await rm(path, { force: true });
    return handle;
  }
}

class OpenFile implements TemporaryFile {
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly #handle: FileHandle;
  #closed: Promise<void> | undefined;

  constructor(handle: FileHandle, sizeBytes: number, sha256: string) {
    this.#handle = handle;
    this.sizeBytes = sizeBytes;
    this.sha256 = sha256;
  }

  async read(position: number, lengthBytes: number): Promise<Uint8Array> {
    const { buffer, bytesRead } = await this.#handle.read({
      buffer: Buffer.allocUnsafe(Math.max(0, Math.min(lengthBytes, this.sizeBytes - position))),
      position,
    });
    return buffer.subarray(0, bytesRead);
  }

  close(): Promise<void> {
    this.#closed ??= this.#handle.close();
    return this.#closed;
  }
}
