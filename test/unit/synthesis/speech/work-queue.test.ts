import { describe, expect, it } from 'vitest';
import { WorkQueue } from '../../../../src/synthesis/speech/work-queue.ts';

describe('WorkQueue', () => {
  it('hands out items in order, whether they came before or while the consumer waits', async () => {
    const queue = new WorkQueue<number>();
    queue.push(1);
    queue.push(2);
    const seen: number[] = [];
    const consumer = (async () => {
      for await (const item of queue) seen.push(item);
    })();
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual([1, 2]);
    queue.push(3);
    queue.end();
    await consumer;
    expect(seen).toEqual([1, 2, 3]);
    expect(queue.size).toBe(0);
  });

  it('ends an idle consumer', async () => {
    const queue = new WorkQueue<number>();
    const consumer = queue[Symbol.asyncIterator]().next();
    queue.end();
    expect(await consumer).toEqual({ done: true, value: undefined });
  });
});
