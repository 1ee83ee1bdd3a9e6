import { describe, expect, it } from 'vitest';
import { LeadingSilence } from '../../../../src/synthesis/audio/leading-silence.ts';

const RATE = 22_050;
const PRE_ROLL = Math.round(0.025 * RATE);
const HOP = Math.round(0.005 * RATE);

/** Room tone, then sound from `onset` on. */
function speech(onset: number, length: number): Float32Array {
  return Float32Array.from({ length }, (_, index) => (index < onset ? 0.001 : 0.2));
}

function trimInBlocks(samples: Float32Array, size: number) {
  const silence = new LeadingSilence(RATE);
  const kept: number[] = [];
  for (let from = 0; from < samples.length; from += size) {
    kept.push(...silence.trim(samples.subarray(from, from + size)));
  }
  kept.push(...silence.flush());
  return { kept, trimmed: silence.trimmedSamples };
}

describe('LeadingSilence', () => {
  it('keeps a pre-roll and everything from the first sound on', () => {
    const { kept, trimmed } = trimInBlocks(speech(2_000, 8_000), 8_000);
    expect(trimmed).toBeLessThanOrEqual(2_000 - PRE_ROLL);
    expect(trimmed).toBeGreaterThan(2_000 - PRE_ROLL - HOP);
    expect(kept).toHaveLength(8_000 - trimmed);
    expect(kept[2_000 - trimmed]).toBeCloseTo(0.2);
  });

  it('accounts for every sample, however the sound is cut into blocks', () => {
    for (const size of [256, 1_024, 2_048]) {
      const { kept, trimmed } = trimInBlocks(speech(3_000, 8_000), size);
      expect(kept.length + trimmed).toBe(8_000);
      expect(kept.filter((sample) => sample > 0.1)).toHaveLength(5_000);
    }
  });

  it('touches nothing that begins with sound, or comes after it', () => {
    const samples = speech(0, 4_000);
    samples.fill(0, 1_000, 3_000);
    expect(trimInBlocks(samples, 500)).toEqual({ kept: [...samples], trimmed: 0 });
  });

  it('does not take a faint breath for speech', () => {
    const samples = speech(3_000, 8_000);
    samples.fill(0.005, 400, 800);
    expect(trimInBlocks(samples, 2_048).trimmed).toBeGreaterThan(2_000);
  });

  it('gives back silence that nothing follows', () => {
    const { kept, trimmed } = trimInBlocks(new Float32Array(1_000), 256);
    expect(kept.length + trimmed).toBe(1_000);
  });

  it('gives up on silence that is longer than any voice begins with', () => {
    const { kept, trimmed } = trimInBlocks(new Float32Array(22_050), 2_048);
    expect(trimmed).toBe(Math.round(0.25 * RATE));
    expect(kept).toHaveLength(22_050 - trimmed);
  });
});
