import { describe, expect, it } from 'vitest';
import { percentile, summarise } from '../../../bench/latency/statistics.ts';

describe('percentile', () => {
  it('is the smallest value that the share does not exceed', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([0.5, 0.9, 0.95, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([
      50, 90, 95, 99, 100,
    ]);
  });

  it('never hides the slowest of few', () => {
    expect(percentile([3, 900, 5], 0.99)).toBe(900);
    expect(percentile([7], 0.5)).toBe(7);
  });

  it('says nothing of nothing', () => {
    expect(summarise([])).toEqual({ n: 0, p50: null, p90: null, p95: null, p99: null, max: null });
  });
});
