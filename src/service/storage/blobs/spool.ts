import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const OWNER_ONLY_DIR = 0o700;
const OWNER_ONLY_FILE = 0o600;

/** Content that has arrived completely, and is safe on the local disk. */
export interface SpooledFile {
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** A folder where content waits until it is complete. */
export class Spool {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Writes content through to the disk. When it throws half-way, the file is removed.
   * @returns a file that the caller moves away or removes.
   */
  async write(content: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
    await mkdir(this.#folder, { recursive: true, mode: OWNER_ONLY_DIR });
    const path = join(this.#folder, randomUUID());
    const file = await open(path, 'wx', OWNER_ONLY_FILE);
    try {
      const written = await writeAll(file, content);
      await file.sync();
      await file.close();
      return { path, ...written };
    } catch (thrown) {
      await file.close();
      await rm(path, { force: true });
      throw thrown;
    }
  }

  /** Removes files that nobody has written to since a time: their writers are gone. */
  async discardBefore(timeMs: number): Promise<void> {
    for (const name of await namesIn(this.#folder)) {
      const path = join(this.#folder, name);
      const touchedAtMs = await stat(path).then((found) => found.mtimeMs, never);
      if (touchedAtMs < timeMs) await rm(path, { force: true });
    }
  }
}

async function writeAll(
  file: FileHandle,
  content: AsyncIterable<Uint8Array>,
): Promise<Omit<SpooledFile, 'path'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of content) {
    await file.writeFile(piece);
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** A file that is gone already was moved or removed by another process. */
function never(): number {
  return Number.POSITIVE_INFINITY;
}
