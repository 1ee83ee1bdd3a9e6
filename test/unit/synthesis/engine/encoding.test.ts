import { describe, expect, it } from 'vitest';
import {
  type Encoding,
  expandDurations,
  noisyLatent,
  readStretch,
  sharedCounts,
  writeStretch,
} from '../../../../src/synthesis/engine/encoding.ts';
import { fillFrameNoise } from '../../../../src/synthesis/engine/noise.ts';

const emptyCarry = { position: sharedCounts([0]), values: [] };

/** Two channels, two phonemes that last 3 and 1 frames. */
function encoding(deviation: readonly number[]): Encoding {
  return {
    channels: 2,
    frames: 4,
    mean: Float32Array.of(10, 20, -10, -20),
    deviation: Float32Array.from(deviation),
    durations: sharedCounts([3, 1]),
    phonemeOfFrame: sharedCounts(expandDurations([3, 1])),
    conditions: {},
    latent: new Float32Array(8),
    flowCarries: [emptyCarry, emptyCarry],
    seed: 5,
    noiseScale: 0.5,
  };
}

describe('the latent before the flow', () => {
  it('is each phoneme’s mean for as long as it lasts', () => {
    const latent = noisyLatent(encoding([0, 0, 0, 0]), { from: 0, to: 4 });
    expect([...latent]).toEqual([10, 10, 10, 20, -10, -10, -10, -20]);
  });

  it('adds noise in the measure of deviation and scale', () => {
    const latent = noisyLatent(encoding([1, 2, 3, 4]), { from: 3, to: 4 });
    const noise = new Float32Array(2);
    fillFrameNoise(noise, 5, 'latent', 3);
    expect(latent[0]).toBeCloseTo(20 + 0.5 * 2 * (noise[0] ?? 0), 5);
    expect(latent[1]).toBeCloseTo(-20 + 0.5 * 4 * (noise[1] ?? 0), 5);
  });

  it('is the same in pieces as in one', () => {
    const voice = encoding([1, 2, 3, 4]);
    const whole = noisyLatent(voice, { from: 0, to: 4 });
    const piece = noisyLatent(voice, { from: 1, to: 3 });
    expect([...piece]).toEqual([...whole.slice(1, 3), ...whole.slice(5, 7)]);
  });
});

describe('stretches', () => {
  it('are read from every channel', () => {
    const rows = Float32Array.of(0, 1, 2, 3, 10, 11, 12, 13);
    expect([...readStretch(rows, 2, { from: 1, to: 3 })]).toEqual([1, 2, 11, 12]);
  });

  it('are written to every channel', () => {
    const rows = new Float32Array(8);
    writeStretch(rows, 2, 1, Float32Array.of(1, 2, 11, 12));
    expect([...rows]).toEqual([0, 1, 2, 0, 0, 11, 12, 0]);
  });

  it('repeat phonemes for their frames, also for none', () => {
    expect(expandDurations(Float32Array.of(2, 0, 1))).toEqual([0, 0, 2]);
  });
});
