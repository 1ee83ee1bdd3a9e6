import { describe, expect, it } from 'vitest';
import { SpeakingTurns } from '../../../../src/synthesis/speech/speaking-turns.ts';

const { signal } = new AbortController();
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Takes a turn and notes it under its name when it has come. */
function queue(turns: SpeakingTurns, came: string[], name: string, abort: AbortSignal = signal) {
  const taking = turns.take(abort).then((end) => {
    came.push(name);
    return end;
  });
  taking.catch(() => undefined);
  return taking;
}

describe('SpeakingTurns', () => {
  it('gives out so many at once, and the next in the order in which they were asked for', async () => {
    const turns = new SpeakingTurns(2);
    const came: string[] = [];
    const [a, b] = ['a', 'b'].map((name) => queue(turns, came, name));
    const c = queue(turns, came, 'c');
    const d = queue(turns, came, 'd');
    await settled();
    expect(came).toEqual(['a', 'b']);
    (await b)?.();
    await settled();
    expect(came).toEqual(['a', 'b', 'c']);
    const e = queue(turns, came, 'e');
    (await a)?.();
    (await c)();
    await settled();
    expect(came).toEqual(['a', 'b', 'c', 'd', 'e']);
    (await d)();
    (await e)();
    expect(await Promise.all([turns.take(signal), turns.take(signal)])).toHaveLength(2);
  });

  it('counts a turn that is ended twice once', async () => {
    const turns = new SpeakingTurns(1);
    const end = await turns.take(signal);
    end();
    end();
    const came: string[] = [];
    void queue(turns, came, 'first');
    void queue(turns, came, 'second');
    await settled();
    expect(came).toEqual(['first']);
  });

  it('lets those go who no longer want theirs', async () => {
    const turns = new SpeakingTurns(1);
    const end = await turns.take(signal);
    const came: string[] = [];
    const abort = new AbortController();
    const gone = queue(turns, came, 'gone', abort.signal);
    const next = queue(turns, came, 'next');
    abort.abort(new Error('Interrupted.'));
    await expect(gone).rejects.toThrow('Interrupted.');
    await expect(turns.take(abort.signal)).rejects.toThrow('Interrupted.');
    end();
    await next;
    expect(came).toEqual(['next']);
  });
});
