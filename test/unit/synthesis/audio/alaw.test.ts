import { describe, expect, it } from 'vitest';
import { alaw } from '../../../../src/synthesis/audio/codecs/alaw.ts';
import { rmsDbfs, sine, snrDb } from '../../../support/audio-measures.ts';

/**
 * ITU-T G.711 (11/88), table 1a, written out as the standard does: for each segment the number of
 * intervals, the size of each and the decision value where it starts, in 13-bit units.
 */
const SEGMENTS = [
  { intervals: 32, size: 2, start: 0 },
  { intervals: 16, size: 4, start: 64 },
  { intervals: 16, size: 8, start: 128 },
  { intervals: 16, size: 16, start: 256 },
  { intervals: 16, size: 32, start: 512 },
  { intervals: 16, size: 64, start: 1024 },
  { intervals: 16, size: 128, start: 2048 },
];

/** Decision values x₁…x₁₂₉; between xₙ and xₙ₊₁ the character signal is 127 + n before bits are inverted. */
const DECISIONS = SEGMENTS.flatMap(({ intervals, size, start }) =>
  Array.from({ length: intervals }, (_, index) => start + index * size),
).concat(4096);

/** Quantised value of the interval that starts at the n-th decision value: its middle. */
const quantised = (n: number) => ((DECISIONS[n] as number) + (DECISIONS[n + 1] as number)) / 2;

/** Bits 2, 4, 6 and 8 of the character signal are inverted on the line (G.711, note 2 to table 1a). */
const onTheLine = (signal: number) => signal ^ 0b0101_0101;

const ALL_SAMPLES = Int16Array.from({ length: 65536 }, (_, index) => index - 32768);
const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const asFloats = (samples: Int16Array) => Float32Array.from(samples, (sample) => sample / 32768);

describe('alaw', () => {
  it('has the table of the standard, by its own landmarks', () => {
    expect(DECISIONS).toHaveLength(129);
    expect([DECISIONS[32], DECISIONS[48], DECISIONS[112], DECISIONS[128]]).toEqual([
      64, 128, 2048, 4096,
    ]);
    expect([quantised(0), quantised(32), quantised(112), quantised(127)]).toEqual([
      1, 66, 2112, 4032,
    ]);
  });

  it('encodes every 16-bit sample to the interval that holds it', () => {
    const encoded = alaw.encode(asFloats(ALL_SAMPLES));
    const misplaced = ALL_SAMPLES.filter((sample, index) => {
      const signal = onTheLine(encoded[index] as number);
      const n = signal & 0x7f;
      const low = DECISIONS[n] as number;
      const high = DECISIONS[n + 1] as number;
      const magnitude = sample / 8;
      return signal & 0x80
        ? magnitude < low || magnitude >= high
        : (magnitude <= -high && n < 127) || magnitude > -low;
    });
    expect([...misplaced]).toEqual([]);
  });

  it('knows which side of zero a fraction of a step lies on', () => {
    const fractions = Float32Array.of(0.3 / 32768, -0.3 / 32768, 0, -0);
    expect([...alaw.encode(fractions)]).toEqual([0xd5, 0x55, 0xd5, 0xd5]);
  });

  it('decodes every byte to its quantised value', () => {
    const expected = Array.from(ALL_BYTES, (byte) => {
      const signal = onTheLine(byte);
      const value = (8 * quantised(signal & 0x7f)) / 32768;
      return signal & 0x80 ? value : -value;
    });
    expect([...alaw.decode(ALL_BYTES)]).toEqual(expected);
  });

  it('encodes a decoded byte to itself', () => {
    expect(alaw.encode(alaw.decode(ALL_BYTES))).toEqual(ALL_BYTES);
  });

  it('says silence as 0xD5', () => {
    expect([...alaw.encode(new Float32Array(3))]).toEqual([0xd5, 0xd5, 0xd5]);
    expect([...alaw.silence]).toEqual([0xd5]);
  });

  it('keeps its own noise 36 dB below speech', () => {
    const speech = sine(1004, 8000, 8000, 0.2);
    expect(rmsDbfs(speech)).toBeCloseTo(-17, 0);
    expect(snrDb(speech, alaw.decode(alaw.encode(speech)))).toBeGreaterThan(36);
  });
});
