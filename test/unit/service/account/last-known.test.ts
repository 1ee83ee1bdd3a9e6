import { describe, expect, it } from 'vitest';
import { SpeechError } from '../../../../src/domain/errors.ts';
import { LastKnown } from '../../../../src/service/account/last-known.ts';

const GRACE_MS = 600_000;

describe('what was known last', () => {
  const unreachable = () => Promise.reject(new Error('connection refused'));

  it('is used while its place fails or does not answer, for ten minutes', async () => {
    let nowMs = 0;
    const keys = new LastKnown<string>(() => nowMs);
    await expect(keys.read('a', unreachable)).rejects.toThrow('refused');
    expect(await keys.read('a', async () => 'one')).toBe('one');
    expect(await keys.read('a', unreachable)).toBe('one');
    expect(await keys.read('a', () => new Promise(() => undefined))).toBe('one');
    nowMs = GRACE_MS + 1;
    await expect(keys.read('a', unreachable)).rejects.toThrow('refused');
  });

  it('is forgotten as soon as its place says otherwise', async () => {
    const keys = new LastKnown<string | undefined>();
    const gone = new SpeechError('not_found', 'Gone.');
    await keys.read('a', async () => 'one');
    await expect(keys.read('a', () => Promise.reject(gone))).rejects.toBe(gone);
    await expect(keys.read('a', unreachable)).rejects.toThrow('refused');
    await keys.read('b', async () => 'one');
    expect(await keys.read('b', async () => undefined)).toBeUndefined();
    await expect(keys.read('b', unreachable)).rejects.toThrow('refused');
  });

  it('is read anew each time', async () => {
    const keys = new LastKnown<number>();
    for (const value of [1, 2, 3]) expect(await keys.read('a', async () => value)).toBe(value);
  });
});
