import { describe, expect, it } from 'vitest';
import { TimeSlices } from '../../../../src/synthesis/speech/time-slices.ts';

/** Slices on a clock and an event loop that a test turns. */
function openSlices() {
  const done: string[] = [];
  const turns: Array<() => void> = [];
  let nowMs = 0;
  const slices = new TimeSlices(
    () => nowMs,
    (run) => turns.push(run),
  );
  const work = (name: string, lastsMs: number) =>
    slices.run(() => {
      nowMs += lastsMs;
      done.push(name);
      return name;
    });
  return { slices, done, work, turn: () => turns.shift()?.() };
}

describe('time slices', () => {
  it('do at once what there is time for', async () => {
    const { done, work } = openSlices();
    const result = work('a', 1);
    expect(done).toEqual(['a']);
    expect(await result).toBe('a');
  });

  it('leave to later turns what a turn has no time for, in the order in which it came', () => {
    const { done, work, turn } = openSlices();
    for (const name of ['a', 'b', 'c', 'd', 'e']) void work(name, 2);
    expect(done).toEqual(['a', 'b']);
    turn();
    expect(done).toEqual(['a', 'b', 'c', 'd']);
    void work('f', 2);
    expect(done).toHaveLength(4);
    turn();
    expect(done).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('pass on what work throws, and go on', async () => {
    const { slices, work } = openSlices();
    const failing = slices.run(() => {
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    expect(await work('next', 1)).toBe('next');
  });
});
