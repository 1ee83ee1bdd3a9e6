// @ts-check
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { placeOf } from './manifest.mjs';

/**
 * @param {string} file
 * @param {'sha256' | 'sha512'} algorithm
 * @returns {Promise<Buffer>}
 */
export async function hashFile(file, algorithm) {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(file, { highWaterMark: 2 ** 20 }), hash);
  return hash.digest();
}

/**
 * What is wrong with bytes that should be a file of the manifest; undefined when nothing is.
 * A size that the manifest does not know is not checked.
 *
 * @param {import('./manifest.mjs').VoiceFile} file
 * @param {{ size: number, sha256: string }} found
 * @returns {string | undefined}
 */
export function mismatch(file, found) {
  if (file.size !== null && found.size !== file.size) {
    return `it has ${found.size} bytes instead of ${file.size}`;
  }
  if (found.sha256 !== file.sha256) {
    return `its sha256 is ${found.sha256} instead of ${file.sha256}`;
  }
  return undefined;
}

/**
 * Remembers which files were found right, by size and time of change, so that a later start hashes nothing.
 * Kept in `models/.cache/verified.json`.
 */
export class VerifiedFiles {
  #modelsFolder;
  /** @type {Map<string, { size: number, modifiedMs: number, sha256: string }> | undefined} */
  #known;

  /** @param {string} modelsFolder */
  constructor(modelsFolder) {
    this.#modelsFolder = modelsFolder;
  }

  /**
   * Whether a file lies in its place and is what the manifest says; hashes it when it is new to us.
   * @param {import('./manifest.mjs').VoiceFile} file
   * @returns {Promise<boolean>}
   */
  async holds(file) {
    const place = placeOf(this.#modelsFolder, file);
    const found = await stat(place).catch(() => undefined);
    if (found === undefined || !found.isFile()) return false;
    if (file.size !== null && found.size !== file.size) return false;
    const memory = (await this.#read()).get(file.path);
    const unchanged = memory?.size === found.size && memory.modifiedMs === found.mtimeMs;
    const sha256 = unchanged ? memory.sha256 : (await hashFile(place, 'sha256')).toString('hex');
    if (mismatch(file, { size: found.size, sha256 }) !== undefined) return false;
    if (!unchanged) await this.remember(file, sha256);
    return true;
  }

  /**
   * @param {import('./manifest.mjs').VoiceFile} file
   * @param {string} sha256 as computed from the file in its place.
   */
  async remember(file, sha256) {
    const { size, mtimeMs } = await stat(placeOf(this.#modelsFolder, file));
    const known = await this.#read();
    known.set(file.path, { size, modifiedMs: mtimeMs, sha256 });
    const cache = path.join(this.#modelsFolder, '.cache');
    await mkdir(cache, { recursive: true });
    // Another set-up may read at any moment: it sees the old file or the new one, never half of one.
    const draft = path.join(cache, `verified.${randomUUID()}.json`);
    await writeFile(draft, JSON.stringify(Object.fromEntries(known), null, 2));
    await rename(draft, path.join(cache, 'verified.json'));
  }

  async #read() {
    if (this.#known === undefined) {
      const file = path.join(this.#modelsFolder, '.cache', 'verified.json');
      const text = await readFile(file, 'utf8').catch(() => '{}');
      try {
        this.#known = new Map(Object.entries(JSON.parse(text)));
      } catch {
        // A damaged memory costs one more hashing, no more.
        this.#known = new Map();
      }
    }
    return this.#known;
  }
}
