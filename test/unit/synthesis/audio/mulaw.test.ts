import { describe, expect, it } from 'vitest';
import { mulaw } from '../../../../src/synthesis/audio/codecs/mulaw.ts';
import { rmsDbfs, sine, snrDb } from '../../../support/audio-measures.ts';

/**
 * ITU-T G.711 (11/88), table 2a, written out as the standard does: for each segment the number of
 * intervals, the size of each and the decision value where it starts, in 14-bit units.
 */
const SEGMENTS = [
  { intervals: 1, size: 1, start: 0 },
  { intervals: 15, size: 2, start: 1 },
  { intervals: 16, size: 4, start: 31 },
  { intervals: 16, size: 8, start: 95 },
  { intervals: 16, size: 16, start: 223 },
  { intervals: 16, size: 32, start: 479 },
  { intervals: 16, size: 64, start: 991 },
  { intervals: 16, size: 128, start: 2015 },
  { intervals: 16, size: 256, start: 4063 },
];

/** Decision values x₀…x₁₂₈; between xₙ and xₙ₊₁ the character signal is 255 − n, n − 128 less if negative. */
const DECISIONS = SEGMENTS.flatMap(({ intervals, size, start }) =>
  Array.from({ length: intervals }, (_, index) => start + index * size),
).concat(8159);

/** Quantised value yₙ: the middle of its interval, and 0 for the first. */
const quantised = (n: number) =>
  n === 0 ? 0 : ((DECISIONS[n] as number) + (DECISIONS[n + 1] as number)) / 2;

const ALL_SAMPLES = Int16Array.from({ length: 65536 }, (_, index) => index - 32768);
const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const asFloats = (samples: Int16Array) => Float32Array.from(samples, (sample) => sample / 32768);

describe('mulaw', () => {
  it('has the tables of the standard, by its own landmarks', () => {
    expect(DECISIONS).toHaveLength(129);
    expect([DECISIONS[17], DECISIONS[113], DECISIONS[128]]).toEqual([35, 4319, 8159]);
    expect([quantised(1), quantised(16), quantised(127)]).toEqual([2, 33, 8031]);
  });

  it('encodes every 16-bit sample to the interval that holds it', () => {
    const encoded = mulaw.encode(asFloats(ALL_SAMPLES));
    const misplaced = ALL_SAMPLES.filter((sample, index) => {
      const byte = encoded[index] as number;
      const n = 127 - (byte & 0x7f);
      const magnitude = Math.abs(sample) / 4;
      const low = DECISIONS[n] as number;
      const high = n === 127 ? Number.POSITIVE_INFINITY : (DECISIONS[n + 1] as number);
      const isNegative = byte < 0x80;
      return isNegative !== sample < 0 || magnitude < low || magnitude >= high;
    });
    expect([...misplaced]).toEqual([]);
  });

  it('decodes every byte to its quantised value', () => {
    const expected = Array.from(ALL_BYTES, (byte) => {
      const value = (4 * quantised(127 - (byte & 0x7f))) / 32768;
      return byte < 0x80 ? -value : value;
    });
    expect([...mulaw.decode(ALL_BYTES)]).toEqual(expected);
  });

  it('encodes a decoded byte to itself, but for negative zero', () => {
    const again = mulaw.encode(mulaw.decode(ALL_BYTES));
    expect(again).toEqual(ALL_BYTES.map((byte) => (byte === 0x7f ? 0xff : byte)));
  });

  it('says silence as 0xFF', () => {
    expect([...mulaw.encode(new Float32Array(3))]).toEqual([0xff, 0xff, 0xff]);
    expect([...mulaw.silence]).toEqual([0xff]);
  });

  it('keeps its own noise 36 dB below speech', () => {
    const speech = sine(1004, 8000, 8000, 0.2);
    expect(rmsDbfs(speech)).toBeCloseTo(-17, 0);
    expect(snrDb(speech, mulaw.decode(mulaw.encode(speech)))).toBeGreaterThan(36);
  });
});
