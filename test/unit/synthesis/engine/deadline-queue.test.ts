import { describe, expect, it } from 'vitest';
import { AccountShares } from '../../../../src/synthesis/engine/account-shares.ts';
import { DeadlineQueue } from '../../../../src/synthesis/engine/deadline-queue.ts';

/** Deadlines of 1000 ms and more are not due when the clock stands at 0. */
const job = (name: string, at: number, accountId = 'a') => ({
  name,
  accountId,
  deadline: () => at,
});
const anything = () => true;

function queueOf(jobs: readonly ReturnType<typeof job>[], shares = new AccountShares()) {
  const queue = new DeadlineQueue<ReturnType<typeof job>>(shares);
  for (const item of jobs) queue.add(item, 0);
  const takeAll = (nowMs = 0) => jobs.map(() => queue.take(anything, nowMs)?.item.name);
  return { queue, takeAll };
}

describe('the deadline queue', () => {
  it('gives the earliest deadline first', () => {
    const { queue, takeAll } = queueOf([job('late', 30), job('early', 10), job('middle', 20)]);
    expect(takeAll()).toEqual(['early', 'middle', 'late']);
    expect(queue.take(anything, 0)).toBeUndefined();
  });

  it('gives what was added first among equals', () => {
    const { takeAll } = queueOf(['first', 'second', 'third'].map((name) => job(name, 5)));
    expect(takeAll()).toEqual(['first', 'second', 'third']);
  });

  it('reads deadlines when work is taken', () => {
    let moving = 100;
    const { takeAll } = queueOf([
      job('steady', 50),
      { ...job('moving', 0), deadline: () => moving },
    ]);
    moving = 1;
    expect(takeAll()).toEqual(['moving', 'steady']);
  });

  it('passes over what is not eligible, and forgets what is deleted', () => {
    const jobs = [job('a', 1), job('b', 2), job('c', 3)] as const;
    const { queue } = queueOf(jobs);
    const [first, second, third] = jobs;
    expect(queue.take((item) => item !== first, 0)?.item).toBe(second);
    queue.delete(first);
    expect(queue.size).toBe(1);
    expect(queue.take(anything, 0)?.item).toBe(third);
  });

  it('takes work that can wait for ever', () => {
    const { takeAll } = queueOf([job('patient', Number.POSITIVE_INFINITY)]);
    expect(takeAll()).toEqual(['patient']);
  });

  it('tells how late work is, counted from when it was asked for', () => {
    const { queue } = queueOf([]);
    queue.add(job('overdue', -60_000), 0);
    expect(queue.take(anything, 30)?.lateMs).toBe(30);
    queue.add(job('early', 80), 30);
    expect(queue.take(anything, 70)?.lateMs).toBe(0);
  });

  it('gives a listener who did not read for a minute no precedence', () => {
    const { queue } = queueOf([job('on time', 20)]);
    queue.add(job('was away', -60_000), 30);
    expect(queue.take(anything, 40)?.item.name).toBe('on time');
  });
});

describe('the deadline queue, between accounts', () => {
  it('goes by deadlines alone while nothing is due', () => {
    const shares = new AccountShares();
    shares.charge('busy', 1000);
    const { takeAll } = queueOf([job('busy', 1000, 'busy'), job('other', 2000, 'other')], shares);
    expect(takeAll()).toEqual(['busy', 'other']);
  });

  it('gives what is due to the account that was given least', () => {
    const shares = new AccountShares();
    shares.charge('busy', 1000);
    const flood = Array.from({ length: 20 }, (_, index) => job(`flood ${index}`, index, 'busy'));
    const { takeAll } = queueOf([...flood, job('first words', 119, 'other')], shares);
    expect(takeAll()[0]).toBe('first words');
  });

  it('serves what is due before what is not, whoever asks', () => {
    const shares = new AccountShares();
    shares.charge('busy', 1000);
    const { takeAll } = queueOf([job('other', 1000, 'other'), job('busy', 100, 'busy')], shares);
    expect(takeAll()).toEqual(['busy', 'other']);
  });
});
