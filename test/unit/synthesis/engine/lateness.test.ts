import { describe, expect, it } from 'vitest';
import { Lateness } from '../../../../src/synthesis/engine/lateness.ts';

/** Steps that start every 20 ms, as late as they are told to be. */
function start(lateness: Lateness, fromMs: number, lateMs: readonly number[]): number {
  lateMs.forEach((late, index) => {
    lateness.started(late, fromMs + 20 * index);
  });
  return fromMs + 20 * lateMs.length;
}

const steps = (count: number, lateMs: number) => Array.from({ length: count }, () => lateMs);

describe('lateness', () => {
  it('is overload when most steps of the last second start late', () => {
    const lateness = new Lateness();
    const now = start(lateness, 0, [...steps(24, 0), ...steps(26, 50)]);
    expect(lateness.isOverloaded(now)).toBe(true);
  });

  it('is none when a burst makes some steps late', () => {
    const lateness = new Lateness();
    const now = start(lateness, 0, [...steps(20, 0), ...steps(10, 80), ...steps(20, 0)]);
    expect(lateness.isOverloaded(now)).toBe(false);
  });

  it('does not count the jitter of threads, nor a handful of steps', () => {
    const jittery = new Lateness();
    expect(jittery.isOverloaded(start(jittery, 0, steps(50, 15)))).toBe(false);
    const few = new Lateness();
    expect(few.isOverloaded(start(few, 0, steps(7, 500)))).toBe(false);
  });

  it('is over a second after the last late step', () => {
    const lateness = new Lateness();
    const now = start(lateness, 0, steps(50, 100));
    expect(lateness.isOverloaded(now)).toBe(true);
    expect(lateness.isOverloaded(now + 1001)).toBe(false);
  });
});
