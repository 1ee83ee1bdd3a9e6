import { describe, expect, it } from 'vitest';
import { fillFrameNoise, type NoiseStream } from '../../../../src/synthesis/engine/noise.ts';

const CHANNELS = 192;

function frames(count: number, seed = 7, stream: NoiseStream = 'latent'): Float32Array[] {
  return Array.from({ length: count }, (_, frame) => frameOf(seed, stream, frame));
}

function frameOf(seed: number, stream: NoiseStream, frame: number, length = CHANNELS) {
  const values = new Float32Array(length);
  fillFrameNoise(values, seed, stream, frame);
  return values;
}

function mean(values: ArrayLike<number>, power = 1): number {
  return Array.from(values).reduce((sum, value) => sum + value ** power, 0) / values.length;
}

function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return mean(Array.from(a, (value, i) => value * (b[i] ?? 0)));
}

const flat = (rows: readonly Float32Array[]) => rows.flatMap((row) => [...row]);

describe('noise', () => {
  it('is standard normal', () => {
    const values = flat(frames(1_000));
    expect(mean(values)).toBeCloseTo(0, 1.9);
    expect(mean(values, 2)).toBeCloseTo(1, 1.9);
    expect(mean(values, 3)).toBeCloseTo(0, 1.3);
    expect(mean(values, 4)).toBeCloseTo(3, 1);
    const within = values.filter((value) => Math.abs(value) < 1).length / values.length;
    expect(within).toBeCloseTo(0.6827, 2);
  });

  it('has finite values only, some of them rare', () => {
    const values = flat(frames(2_000)).map(Math.abs);
    expect(values.every(Number.isFinite)).toBe(true);
    expect(values.some((value) => value > 4)).toBe(true);
  });

  it('is the same whenever and in whatever order it is asked for', () => {
    const inOrder = frames(50);
    for (const frame of [49, 0, 17]) expect(frameOf(7, 'latent', frame)).toEqual(inOrder[frame]);
  });

  it('depends on nothing but seed, stream, frame and position', () => {
    expect(frameOf(7, 'latent', 3, 64)).toEqual(frameOf(7, 'latent', 3).slice(0, 64));
    expect(frameOf(7, 'latent', 3, 3)).toEqual(frameOf(7, 'latent', 3).slice(0, 3));
  });

  it('has nothing in common between neighbours of any kind', () => {
    const base = frames(500);
    const pairs: Array<readonly [number[], number[]]> = [
      [flat(base), flat(frames(500, 8))],
      [flat(base), flat(frames(500, 7, 'durations'))],
      [flat(base.slice(1)), flat(base.slice(0, -1))],
      [flat(base).slice(1), flat(base).slice(0, -1)],
      [flat(base).slice(2), flat(base).slice(0, -2)],
    ];
    // Of 96 000 independent pairs the standard error is 0.003.
    for (const [a, b] of pairs) expect(Math.abs(correlation(a, b))).toBeLessThan(0.015);
  });

  it('takes every seed of 32 bits', () => {
    const firsts = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff].map(
      (seed) => frameOf(seed, 'latent', 0)[0],
    );
    expect(new Set(firsts).size).toBe(firsts.length);
  });
});
