import { describe, expect, it } from 'vitest';
import { withGain } from '../../../../../src/synthesis/engine/kokoro/loudness.ts';

describe('a gain', () => {
  it('multiplies what stays below the knee', () => {
    expect([...withGain(Float32Array.of(0.25, -0.25, 0), 2)]).toEqual([0.5, -0.5, 0]);
  });

  it('bends peaks so that louder stays louder and nothing passes full scale', () => {
    const loud = withGain(Float32Array.of(0.5, 0.55, 0.6, 0.9, -0.9), 2);
    const [first = 0, second = 0, third = 0, peak = 0, trough = 0] = loud;
    expect(first).toBeLessThan(second);
    expect(second).toBeLessThan(third);
    expect(peak).toBeLessThanOrEqual(1);
    expect(trough).toBeGreaterThanOrEqual(-1);
  });
});
