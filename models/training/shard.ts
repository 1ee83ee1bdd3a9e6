import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is stored of one utterance: plain values, and arrays that lie in the shard's binary file. */
export interface ShardEntry {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly arrays: Readonly<Record<string, Int16Array | Float32Array | Uint8Array>>;
}

/** A folder of numbered shards. `NNNNN.json` is written last: a shard without it does not count. */
export class ShardFolder {
  readonly #folder: string;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#folder = folder;
  }

  has(number: number): boolean {
    return existsSync(this.#path(number, 'json'));
  }

  /** Writes `[offset, length in elements, element type]` for each array, and the arrays themselves. */
  write(number: number, entries: readonly ShardEntry[]): void {
    const pieces: Uint8Array[] = [];
    let offset = 0;
    const index = entries.map(({ facts, arrays }) => {
      const places = Object.entries(arrays).map(([name, values]) => {
        const place = [offset, values.length, ELEMENT_NAMES.get(values.constructor)];
        pieces.push(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
        // Readers map the file, and maps of floats begin at whole floats.
        const padding = -values.byteLength & 3;
        pieces.push(new Uint8Array(padding));
        offset += values.byteLength + padding;
        return [name, place];
      });
      return { ...facts, arrays: Object.fromEntries(places) };
    });
    this.#put(number, 'bin', Buffer.concat(pieces));
    this.#put(number, 'json', JSON.stringify(index));
  }

  #put(number: number, extension: string, content: string | Uint8Array): void {
    const path = this.#path(number, extension);
    writeFileSync(`${path}.part`, content);
    renameSync(`${path}.part`, path);
  }

  #path(number: number, extension: string): string {
    return join(this.#folder, `${String(number).padStart(5, '0')}.${extension}`);
  }
}

/** NumPy's names. */
const ELEMENT_NAMES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [Int16Array, 'i2'],
  [Float32Array, 'f4'],
  [Uint8Array, 'u1'],
]);
