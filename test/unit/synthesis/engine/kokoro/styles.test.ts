import { describe, expect, it } from 'vitest';
import { KokoroStyles } from '../../../../../src/synthesis/engine/kokoro/styles.ts';

const ROWS = 510;
const LENGTH = 256;

/** Two speakers, whose every value says whose it is and where. */
const values = Float32Array.from({ length: 2 * ROWS * LENGTH }, (_, index) => Math.sin(index) / 3);
const styles = new KokoroStyles(values);

function rowOf(speaker: number, row: number): Float32Array {
  const start = (speaker * ROWS + row) * LENGTH;
  return values.slice(start, start + LENGTH);
}

describe('styles', () => {
  it('are chosen by the length of what is spoken, the last one for all that is longer', () => {
    for (const [count, row] of [
      [1, 1],
      [88, 88],
      [509, 509],
      [510, 509],
    ] as const) {
      expect(styles.blend([{ speaker: 1, weight: 1 }], count)).toEqual(rowOf(1, row));
    }
  });

  it('of one speaker with weight 1 are that speaker’s, bit for bit, whoever else has weight 0', () => {
    const alone = styles.blend(
      [
        { speaker: 0, weight: 1 },
        { speaker: 1, weight: 0 },
      ],
      40,
    );
    expect(new Uint32Array(alone.buffer)).toEqual(new Uint32Array(rowOf(0, 40).buffer));
  });

  it('of two speakers lie between them', () => {
    const half = styles.blend(
      [
        { speaker: 0, weight: 0.25 },
        { speaker: 1, weight: 0.75 },
      ],
      7,
    );
    const [first, second] = [rowOf(0, 7), rowOf(1, 7)];
    half.forEach((value, i) => {
      expect(value).toBeCloseTo(0.25 * (first[i] ?? 0) + 0.75 * (second[i] ?? 0), 6);
    });
  });

  it.each([-1, 2, 0.5])('are none of speaker %d', (speaker) => {
    expect(() => styles.blend([{ speaker, weight: 1 }], 3)).toThrow(RangeError);
  });
});
