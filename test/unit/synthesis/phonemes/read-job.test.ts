import { describe, expect, it } from 'vitest';
import { ReadJob } from '../../../../src/synthesis/phonemes/read-job.ts';

const clause = (text: string) => ({ language: 'en-us', text, bodyLength: text.length });
const reading = { symbols: ['x'], starts: [0], ends: [1] };
const running = () => new AbortController().signal;

describe('ReadJob', () => {
  it('hands out its clauses and ends with the last answer', async () => {
    const job = new ReadJob([clause('a'), clause('b')], running());
    expect([job.take()?.text, job.take()?.text, job.take()]).toEqual(['a', 'b', undefined]);
    job.answer(reading);
    expect(job.isSettled).toBe(false);
    job.answer(reading);
    expect(await job.result).toEqual([reading, reading]);
  });

  it('has nothing to wait for without clauses', async () => {
    expect(await new ReadJob([], running()).result).toEqual([]);
  });

  it('fails once, and takes no answer after that', async () => {
    const job = new ReadJob([clause('a')], running());
    job.fail(new Error('first'));
    job.fail(new Error('second'));
    job.answer(reading);
    expect(job.take()).toBeUndefined();
    await expect(job.result).rejects.toThrow('first');
  });

  it('ends with its signal', async () => {
    const control = new AbortController();
    const job = new ReadJob([clause('a')], control.signal);
    control.abort(new Error('stop'));
    await expect(job.result).rejects.toThrow('stop');
    await expect(new ReadJob([clause('a')], control.signal).result).rejects.toThrow('stop');
  });
});
