import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ContextClock } from '../../../../src/api/websocket/context-clock.ts';

const TIMEOUT_MS = 20_000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A clock, and when it looked, in milliseconds from its making. */
function clockThatLooks(nextDue: Array<number | undefined>) {
  const madeAtMs = Date.now();
  const looks: number[] = [];
  const clock = new ContextClock(TIMEOUT_MS, (afterMs) => {
    expect(afterMs).toBe(TIMEOUT_MS);
    looks.push(Date.now() - madeAtMs);
    return nextDue.shift();
  });
  return { clock, looks };
}

describe('ContextClock', () => {
  it('looks when a context may be due, and not while there is none', () => {
    const { clock, looks } = clockThatLooks([5_000.2, undefined, undefined]);
    vi.advanceTimersByTime(60_000);
    expect(looks).toEqual([]);
    clock.start();
    vi.advanceTimersByTime(1_000);
    clock.start();
    vi.advanceTimersByTime(200_000);
    expect(looks).toEqual([80_000, 85_001]);
    clock.start();
    vi.advanceTimersByTime(200_000);
    expect(looks.at(-1)).toBe(261_000 + TIMEOUT_MS);
  });

  it('stops when it is closed', () => {
    const { clock, looks } = clockThatLooks([]);
    clock.start();
    clock.close();
    vi.advanceTimersByTime(100_000);
    expect(looks).toEqual([]);
  });
});
