import { describe, expect, it } from 'vitest';
import { Resampler } from '../../../../src/synthesis/audio/resampler.ts';
import {
  jointOutlier,
  rmsDbfs,
  sine,
  snrDb,
  toneLevelDb,
} from '../../../support/audio-measures.ts';

const INPUT_RATES = [16000, 22050, 24000, 44100, 48000];
const OUTPUT_RATES = [8000, 16000, 22050, 24000, 32000, 44100, 48000];
const PAIRS = INPUT_RATES.flatMap((from) =>
  OUTPUT_RATES.filter((to) => to !== from).map((to) => [from, to] as const),
);

function resample(from: number, to: number, input: Float32Array, blockSamples = 441): Float32Array {
  const resampler = new Resampler(from, to);
  const parts: Float32Array[] = [];
  for (let start = 0; start < input.length; start += blockSamples) {
    parts.push(resampler.process(input.slice(start, start + blockSamples)));
  }
  parts.push(resampler.flush());
  return Float32Array.from(parts.flatMap((part) => [...part]));
}

/** Cuts off both ends, where a tone that starts or stops at once is not a tone. */
const middle = (samples: Float32Array, rate: number) => {
  const edge = Math.round(rate * 0.03);
  return samples.subarray(edge, samples.length - edge);
};

/** Uniform noise of −0.5…0.5 that is the same each time (Numerical Recipes' generator). */
function noise(length: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
}

describe.each(PAIRS)('Resampler %i → %i', (from, to) => {
  const nyquist = Math.min(from, to) / 2;

  it.each([0.02, 0.4, 0.7, 0.85])(
    'keeps a tone at %f of Nyquist in level and in place',
    (share) => {
      const frequency = share * nyquist;
      const output = resample(from, to, sine(frequency, from, from / 5));
      const expected = sine(frequency, to, output.length);
      expect(Math.abs(toneLevelDb(middle(output, to), to, frequency) + 6.02)).toBeLessThan(0.1);
      // The difference holds every image, every alias and every shift in time.
      expect(snrDb(middle(expected, to), middle(output, to))).toBeGreaterThan(90);
    },
  );

  const beyond = [1, 1.03, 1.15, 1.4, 1.9].map((share) => (share * to) / 2);
  it.each(beyond.filter((frequency) => frequency < from / 2))(
    'stops a tone of %i Hz',
    (frequency) => {
      const output = resample(from, to, sine(frequency, from, from / 5, 1));
      expect(rmsDbfs(middle(output, to))).toBeLessThan(-90);
    },
  );

  it('yields the length that the rates promise, however short the input', () => {
    for (const samples of [0, 1, 2, from / 200, 1000, 12345].map(Math.floor)) {
      const output = resample(from, to, noise(samples));
      expect(output.length).toBe(Math.round((samples * to) / from));
    }
  });

  it('gives the same bits however the input is cut', () => {
    const input = noise(3000);
    const whole = resample(from, to, input, 3000);
    for (const blockSamples of [1, 7, 256, 2999]) {
      expect(resample(from, to, input, blockSamples)).toEqual(whole);
    }
  });
});

describe('Resampler', () => {
  it('passes equal rates through untouched', () => {
    const block = noise(100);
    const resampler = new Resampler(22050, 22050);
    expect(resampler.process(block)).toBe(block);
    expect(resampler.flush()).toHaveLength(0);
  });

  it('keeps a constant constant', () => {
    const output = resample(22050, 8000, new Float32Array(4410).fill(0.25));
    for (const sample of middle(output, 8000)) expect(sample).toBeCloseTo(0.25, 6);
  });

  it('is as new after a flush', () => {
    const resampler = new Resampler(22050, 8000);
    const speak = () => [...resampler.process(noise(1000)), ...resampler.flush()];
    expect(speak()).toEqual(speak());
  });

  it('leaves no step where blocks meet', () => {
    const frequency = 400;
    const output = resample(22050, 8000, sine(frequency, 22050, 22050), 2048);
    for (let block = 1; block < 10; block++) {
      const joint = Math.round((block * 2048 * 8000) / 22050);
      expect(jointOutlier(output, joint)).toBeLessThan(1.1);
    }
  });

  it('delivers all but half a filter length without waiting for a flush', () => {
    const output = new Resampler(22050, 8000).process(noise(22050));
    expect(output.length).toBeGreaterThan(8000 - 8000 * 0.006);
  });

  it.each([
    [0, 8000],
    [22050, -1],
    [22050.5, 8000],
    [Number.NaN, 8000],
  ])('refuses the rates %f → %f', (from, to) => {
    expect(() => new Resampler(from, to)).toThrow(RangeError);
  });
});
