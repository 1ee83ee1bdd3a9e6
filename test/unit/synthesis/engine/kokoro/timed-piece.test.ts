import { describe, expect, it } from 'vitest';
import { TimedPiece } from '../../../../../src/synthesis/engine/kokoro/timed-piece.ts';

const UNIT = 600;

function timed(durations: readonly number[], ending: 'word' | 'sentence') {
  const ids = durations.map((_, index) => index);
  const step = { type: 'timing' as const, ids, style: new Float32Array(256), pace: 1 };
  const timing = { durations: Float32Array.from(durations), features: new Float32Array(0) };
  return new TimedPiece(step, ending, timing);
}

describe('a piece of which the timing is known', () => {
  const piece = timed([14, 2, 3, 13, 6], 'word');

  it('gives what is heard of the pads to the first and the last id', () => {
    expect(piece.idSamples).toEqual([(6 + 2) * UNIT, 3 * UNIT, 7 * UNIT]);
  });

  it('hands out as many samples as its ids last', () => {
    const samples = Float32Array.from({ length: 38 * UNIT }, (_, index) => index);
    const heard = piece.heardOf(samples);
    expect(heard).toHaveLength(18 * UNIT);
    expect(heard[0]).toBe(8 * UNIT);
  });

  it('gives no time to a mark of which nothing is heard', () => {
    expect(timed([14, 2, 13, 6, 1], 'sentence').idSamples).toEqual([8 * UNIT, 13 * UNIT, 0]);
  });
});
