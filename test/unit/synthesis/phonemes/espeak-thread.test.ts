import { afterEach, describe, expect, it } from 'vitest';
import { EspeakThread } from '../../../../src/synthesis/phonemes/espeak-thread.ts';

let thread: EspeakThread | undefined;

function open(file: string): EspeakThread {
  thread = new EspeakThread({ entry: new URL(file, import.meta.url), stuckAfterMs: 500 });
  return thread;
}

afterEach(() => thread?.close());

async function read(
  thread: EspeakThread,
  texts: readonly string[],
  signal = new AbortController().signal,
) {
  const clauses = texts.map((text) => ({ language: 'en-us', text, bodyLength: text.length }));
  const readings = await thread.read(clauses, signal);
  return readings.map(({ symbols }) => symbols.join(''));
}

describe.each(['crash', 'hang'])('a thread with a clause that makes it %s', (fault) => {
  it('fails that text after a second attempt, and reads every other one', async () => {
    const thread = open('./faulty-thread.mjs');
    const before = read(thread, ['one', 'two']);
    const faulty = read(thread, ['three', fault, 'four']);
    const after = read(
      thread,
      Array.from({ length: 30 }, (_, index) => `${index}`),
    );
    await expect(faulty).rejects.toMatchObject({ code: 'synthesis_failed' });
    expect(await before).toEqual(['one', 'two']);
    expect(await after).toEqual(Array.from({ length: 30 }, (_, index) => `${index}`));
  });
});

describe('EspeakThread', () => {
  it('drops what is aborted, and goes on', async () => {
    const thread = open('./faulty-thread.mjs');
    const control = new AbortController();
    const aborted = read(thread, Array(100).fill('a'), control.signal);
    const other = read(thread, ['b']);
    control.abort(new Error('stop'));
    await expect(aborted).rejects.toThrow('stop');
    expect(await other).toEqual(['b']);
  });

  it('answers after a kill', async () => {
    const thread = open('./faulty-thread.mjs');
    expect(await read(thread, ['a'])).toEqual(['a']);
    const pending = read(thread, Array(50).fill('b'));
    await thread.kill();
    expect(await pending).toHaveLength(50);
  });

  it('fails what waits when the thread cannot start', async () => {
    const thread = open('./stillborn-thread.mjs');
    await expect(read(thread, ['a'])).rejects.toMatchObject({ code: 'synthesis_failed' });
  });

  it('says that it is closing', async () => {
    const thread = open('./faulty-thread.mjs');
    const pending = read(thread, ['a']);
    const closed = thread.close();
    await expect(pending).rejects.toMatchObject({ code: 'shutting_down' });
    await closed;
    await expect(read(thread, ['a'])).rejects.toMatchObject({ code: 'shutting_down' });
  });
});
