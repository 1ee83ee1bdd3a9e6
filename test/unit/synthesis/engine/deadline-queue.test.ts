import { describe, expect, it } from 'vitest';
import { DeadlineQueue } from '../../../../src/synthesis/engine/deadline-queue.ts';

const job = (name: string, at: number) => ({ name, at, deadline: () => at });
const anything = () => true;

describe('the deadline queue', () => {
  it('gives the earliest deadline first', () => {
    const queue = new DeadlineQueue<ReturnType<typeof job>>();
    for (const item of [job('late', 30), job('early', 10), job('middle', 20)]) queue.add(item);
    const taken = [1, 2, 3].map(() => queue.take(anything)?.name);
    expect(taken).toEqual(['early', 'middle', 'late']);
    expect(queue.take(anything)).toBeUndefined();
  });

  it('gives what was added first among equals', () => {
    const queue = new DeadlineQueue<ReturnType<typeof job>>();
    for (const name of ['first', 'second', 'third']) queue.add(job(name, 5));
    expect(queue.take(anything)?.name).toBe('first');
    expect(queue.take(anything)?.name).toBe('second');
  });

  it('reads deadlines when work is taken', () => {
    const queue = new DeadlineQueue<{ name: string; deadline: () => number }>();
    let moving = 100;
    queue.add({ name: 'steady', deadline: () => 50 });
    queue.add({ name: 'moving', deadline: () => moving });
    moving = 1;
    expect(queue.take(anything)?.name).toBe('moving');
  });

  it('passes over what is not eligible, and forgets what is deleted', () => {
    const queue = new DeadlineQueue<ReturnType<typeof job>>();
    const [first, second, third] = [job('a', 1), job('b', 2), job('c', 3)];
    for (const item of [first, second, third]) queue.add(item);
    expect(queue.take((item) => item !== first)).toBe(second);
    queue.delete(first);
    expect(queue.size).toBe(1);
    expect(queue.take(anything)).toBe(third);
  });

  it('takes work that can wait for ever', () => {
    const queue = new DeadlineQueue<ReturnType<typeof job>>();
    queue.add(job('patient', Number.POSITIVE_INFINITY));
    expect(queue.take(anything)?.name).toBe('patient');
  });
});
