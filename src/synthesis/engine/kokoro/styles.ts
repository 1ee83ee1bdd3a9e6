import { readFile } from 'node:fs/promises';
import type { SpeakerShare } from '../engine.ts';

export const STYLE_LENGTH = 256;
/** One row for each number of ids, from 0. */
const ROWS = 510;
const TABLE_LENGTH = ROWS * STYLE_LENGTH;

/** How each speaker sounds: a table of style vectors, by the length of what is spoken. */
export class KokoroStyles {
  readonly #values: Float32Array;

  /** @param values a table of 510 rows of 256 for each speaker, one after the other. */
  constructor(values: Float32Array) {
    this.#values = values;
  }

  static async read(path: string): Promise<KokoroStyles> {
    const { buffer, byteOffset, byteLength } = await readFile(path);
    return new KokoroStyles(new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength)));
  }

  get speakers(): number {
    return this.#values.length / TABLE_LENGTH;
  }

  /**
   * The style of a mixture of speakers. A single share of weight 1 is that speaker, bit for bit.
   * @param idCount of the piece that is spoken, pads aside.
   * @throws RangeError for a speaker that there is not.
   */
  blend(shares: readonly SpeakerShare[], idCount: number): Float32Array {
    const row = Math.min(idCount, ROWS - 1);
    const style = new Float32Array(STYLE_LENGTH);
    for (const { speaker, weight } of shares) {
      if (!Number.isInteger(speaker) || speaker < 0 || speaker >= this.speakers) {
        throw new RangeError(`Kokoro has no speaker ${speaker}.`);
      }
      const start = speaker * TABLE_LENGTH + row * STYLE_LENGTH;
      for (let i = 0; i < STYLE_LENGTH; i++) {
        style[i] = (style[i] ?? 0) + weight * (this.#values[start + i] ?? 0);
      }
    }
    return style;
  }
}
