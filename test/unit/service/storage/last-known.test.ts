import { describe, expect, it } from 'vitest';
import { SpeechError } from '../../../../src/domain/errors.ts';
import { LastKnown } from '../../../../src/service/storage/last-known.ts';

const GRACE_MS = 600_000;

describe('what was known last', () => {
  const unreachable = () => Promise.reject(new Error('connection refused'));

  it('is used while its place fails or does not answer, for ten minutes', async () => {
    let nowMs = 0;
    const keys = new LastKnown<string>(() => nowMs);
    await expect(keys.read('a', unreachable)).rejects.toThrow('refused');
    expect(await keys.read('a', async () => 'one')).toBe('one');
    nowMs = GRACE_MS - 1;
    expect(await keys.read('a', unreachable)).toBe('one');
    expect(await keys.read('a', () => new Promise(() => undefined))).toBe('one');
    nowMs = GRACE_MS + 1;
    await expect(keys.read('a', unreachable)).rejects.toThrow('refused');
  });

  it('is forgotten as soon as its place says otherwise', async () => {
    let nowMs = 0;
    const keys = new LastKnown<string | undefined>(() => nowMs);
    const gone = new SpeechError('not_found', 'Gone.');
    await keys.read('a', async () => 'one');
    nowMs = 2000;
    await expect(keys.read('a', () => Promise.reject(gone))).rejects.toBe(gone);
    await expect(keys.read('a', unreachable)).rejects.toThrow('refused');
    await keys.read('b', async () => 'one');
    nowMs = 4000;
    expect(await keys.read('b', async () => undefined)).toBeUndefined();
    await expect(keys.read('b', unreachable)).rejects.toThrow('refused');
  });

  it('is read once a second at most', async () => {
    let nowMs = 0;
    const keys = new LastKnown<number>(() => nowMs);
    const read = (value: number) => keys.read('a', async () => value);
    expect(await read(1)).toBe(1);
    nowMs = 999;
    expect(await read(2)).toBe(1);
    nowMs = 1000;
    expect(await read(3)).toBe(3);
  });

  it('is read anew after it was changed here, also when an older answer comes behind the change', async () => {
    const keys = new LastKnown<number>(() => 0);
    let answer: (value: number) => void = () => undefined;
    const slow = keys.read('a', () => new Promise((resolve) => (answer = resolve)));
    keys.forget();
    answer(1);
    expect(await slow).toBe(1);
    expect(await keys.read('a', async () => 2)).toBe(2);
    keys.forget();
    expect(await keys.read('a', async () => 3)).toBe(3);
  });
});
