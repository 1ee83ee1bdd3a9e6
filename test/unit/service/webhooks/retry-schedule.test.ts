import { describe, expect, it } from 'vitest';
import { nextAttemptAtMs } from '../../../../src/service/webhooks/retry-schedule.ts';

const NOW = Date.UTC(2026, 0, 1);
const HOUR_S = 3_600;
const seldom = () => 0;

function delayS(attempts: number, retryAfter?: string, random = seldom): number | undefined {
  const next = nextAttemptAtMs({ attempts, atMs: NOW, retryAfter }, random);
  return next === undefined ? undefined : (next - NOW) / 1000;
}

describe('the retry schedule', () => {
  it('makes ten attempts, further and further apart', () => {
    const delays = Array.from({ length: 10 }, (_, index) => delayS(index + 1));
    expect(delays).toEqual([
      5,
      300,
      1_800,
      2 * HOUR_S,
      5 * HOUR_S,
      10 * HOUR_S,
      14 * HOUR_S,
      20 * HOUR_S,
      24 * HOUR_S,
      undefined,
    ]);
  });

  it('spreads attempts over a fifth of the delay', () => {
    expect(delayS(2, undefined, () => 0.5)).toBe(330);
    expect(delayS(2, undefined, () => 0.999_999)).toBeCloseTo(360, 2);
  });

  it.each([
    ['120', 120],
    [' 120 ', 120],
    ['1', 5],
    ['0', 5],
    [new Date(NOW + 90_000).toUTCString(), 90],
    [new Date(NOW - 90_000).toUTCString(), 5],
    ['999999999999', 24 * HOUR_S],
    ['9'.repeat(400), 24 * HOUR_S],
    ['soon', 5],
    ['-1', 5],
    ['', 5],
  ])('waits for Retry-After: %j where that is later', (retryAfter, expected) => {
    expect(delayS(1, retryAfter)).toBe(expected);
  });
});
