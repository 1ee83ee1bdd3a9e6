import { describe, expect, it } from 'vitest';
import { SpeakingTurns } from '../../../../src/synthesis/speech/speaking-turns.ts';

const { signal } = new AbortController();
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Contexts in the order in which they began, all closed; the last one is the youngest. */
function closedTurns(count: number, now: () => number = () => 0) {
  const turns = new SpeakingTurns(5, now);
  const entered = Array.from({ length: count }, () => turns.enter());
  for (const turn of entered) turn.close();
  const took: number[] = [];
  const take = async (index: number, dryAtMs = 0, abort: AbortSignal = signal) => {
    await entered[index]?.take(dryAtMs, abort);
    took.push(index);
  };
  return { turns, entered, took, take };
}

describe('SpeakingTurns', () => {
  it('never keep an open context waiting, nor the youngest, closed or not', async () => {
    const turns = new SpeakingTurns(5, () => 0);
    const contexts = Array.from({ length: 5 }, () => turns.enter());
    contexts.at(-1)?.close();
    await Promise.all(contexts.map((turn) => turn.take(0, signal)));
    expect(contexts.some(({ isWaiting }) => isWaiting)).toBe(false);
  });

  it('let one at a time speak of those that were closed and overtaken', async () => {
    const { entered, took, take } = closedTurns(5);
    for (const index of [0, 1, 2, 3, 4]) void take(index);
    await settled();
    expect(took.toSorted()).toEqual([0, 4]);
    expect(entered.map(({ isWaiting }) => isWaiting)).toEqual([false, true, true, true, false]);
    entered[0]?.end();
    entered[0]?.end();
    await settled();
    expect(took.toSorted()).toEqual([0, 1, 4]);
  });

  it('let no more closed ones speak at once than they may, and the youngest first', async () => {
    const turns = new SpeakingTurns(5, () => 0);
    const began = Array.from({ length: 5 }, () => turns.enter());
    for (const turn of began) {
      await turn.take(0, signal);
      turn.close();
    }
    const [older, youngest] = [turns.enter(), turns.enter()] as const;
    const took: string[] = [];
    older.close();
    youngest.close();
    void older.take(0, signal).then(() => took.push('older'));
    void youngest.take(0, signal).then(() => took.push('youngest'));
    await settled();
    expect(took).toEqual([]);
    void began[0]?.take(500, signal);
    await settled();
    expect(took).toEqual(['youngest']);
    began[1]?.end();
    await settled();
    expect(took).toEqual(['youngest', 'older']);
  });

  it('go on with the one whose audio runs dry first', async () => {
    const { entered, took, take } = closedTurns(4);
    await take(0);
    void take(1, 3000);
    void take(2, 1000);
    entered[0]?.end();
    await settled();
    expect(took).toEqual([0, 2]);
  });

  it('pass from one that is far ahead to one that is not, and come back', async () => {
    const { entered, took, take } = closedTurns(3);
    await take(0, 0);
    void take(1, 500);
    await take(0, 1400);
    expect(took).toEqual([0, 0]);
    void take(0, 1600);
    await settled();
    expect(took).toEqual([0, 0, 1]);
    expect(entered[0]?.isWaiting).toBe(true);
    entered[1]?.end();
    await settled();
    expect(took).toEqual([0, 0, 1, 0]);
  });

  it('let those go who no longer want theirs', async () => {
    const { entered, took, take } = closedTurns(4);
    const abort = new AbortController();
    await take(0);
    const gone = take(1, 0, abort.signal);
    void take(2);
    abort.abort(new Error('Interrupted.'));
    await expect(gone).rejects.toThrow('Interrupted.');
    await expect(take(1, 0, abort.signal)).rejects.toThrow('Interrupted.');
    entered[0]?.end();
    await settled();
    expect(took).toEqual([0, 2]);
  });

  it('give the work of a context that yields a later deadline, and not for ever', async () => {
    let now = 5000;
    const { entered, take } = closedTurns(2, () => now);
    const [older, youngest] = entered;
    await take(0);
    const deadline = older?.yielding(() => 100);
    expect(deadline?.()).toBe(6000);
    now = 5900;
    expect(deadline?.()).toBe(6000);
    expect(older?.yielding(() => 7000)()).toBe(8000);
    expect(youngest?.yielding(() => 100)()).toBe(100);
  });
});
