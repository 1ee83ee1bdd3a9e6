import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BufferDelays } from '../../../../src/api/cartesia/buffer-delays.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('speaks what nothing followed for as long as it may wait', () => {
  const spoken: string[] = [];
  const delays = new BufferDelays((contextId) => void spoken.push(contextId));
  delays.set('a', 100);
  delays.set('b', 100);
  vi.advanceTimersByTime(99);
  delays.set('a', 100);
  vi.advanceTimersByTime(1);
  expect(spoken).toEqual(['b']);
  delays.set('c', 50);
  delays.set('c', 0);
  vi.advanceTimersByTime(99);
  expect(spoken).toEqual(['b', 'a']);
  delays.set('d', 10);
  delays.close();
  vi.advanceTimersByTime(1000);
  expect(spoken).toEqual(['b', 'a']);
});
