import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KeyWatch } from '../../../../src/api/websocket/key-watch.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';

const INTERVAL_MS = 20_000;
const REVOKED = new SpeechError('invalid_api_key', 'This key was revoked.');

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A watch over a key that may be `REVOKED`, `broken` or well, and what it did about it. */
function watchOver(state: { failure?: Error; looks: number }) {
  const refusals: SpeechError[] = [];
  const confirm = async () => {
    state.looks++;
    if (state.failure) throw state.failure;
  };
  const watch = new KeyWatch(INTERVAL_MS, confirm, (error) => refusals.push(error));
  return { watch, refusals };
}

describe('KeyWatch', () => {
  it('tells once that a key no longer holds, and looks no more', async () => {
    const state: Parameters<typeof watchOver>[0] = { looks: 0 };
    const { refusals } = watchOver(state);
    await vi.advanceTimersByTimeAsync(3 * INTERVAL_MS);
    expect(refusals).toEqual([]);
    state.failure = REVOKED;
    await vi.advanceTimersByTimeAsync(3 * INTERVAL_MS);
    expect(refusals).toEqual([REVOKED]);
    expect(state.looks).toBe(4);
  });

  it('does not take a storage that fails for a key that does', async () => {
    const state = { looks: 0, failure: new Error('The database is locked.') };
    const { watch, refusals } = watchOver(state);
    await vi.advanceTimersByTimeAsync(2 * INTERVAL_MS);
    expect(refusals).toEqual([]);
    expect(state.looks).toBe(2);
    watch.close();
  });

  it('does not look again while it still looks, nor once it is closed', async () => {
    let looks = 0;
    let answer = () => {};
    const watch = new KeyWatch(
      INTERVAL_MS,
      () => {
        looks++;
        return new Promise<void>((resolve) => {
          answer = resolve;
        });
      },
      () => undefined,
    );
    await vi.advanceTimersByTimeAsync(5 * INTERVAL_MS);
    expect(looks).toBe(1);
    answer();
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(looks).toBe(2);
    watch.close();
    answer();
    await vi.advanceTimersByTimeAsync(5 * INTERVAL_MS);
    expect(looks).toBe(2);
  });
});
