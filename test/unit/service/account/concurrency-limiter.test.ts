import { describe, expect, it } from 'vitest';
import { resolveModel } from '../../../../src/domain/model.ts';
import {
  ConcurrencyLimiter,
  concurrencyHeaders,
} from '../../../../src/service/account/concurrency-limiter.ts';

const FREE = { accountId: 'a', tier: 'free', concurrencyLimit: 2 } as const;
const UNLIMITED = { accountId: 'b', tier: 'business', concurrencyLimit: null } as const;
const STANDARD = resolveModel('svc_monolingual_v1');
const TURBO = resolveModel('eleven_flash_v2_5');

describe('concurrency', () => {
  it('is limited for each account, and is free again when a request ends', () => {
    const limiter = new ConcurrencyLimiter(() => 16);
    const first = limiter.acquire(FREE, STANDARD);
    const second = limiter.acquire(FREE, STANDARD);
    expect([first, second].map(({ current, maximum }) => [current, maximum])).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect(() => limiter.acquire(FREE, STANDARD)).toThrow(
      expect.objectContaining({ code: 'too_many_concurrent_requests' }),
    );
    expect(limiter.acquire({ ...FREE, accountId: 'c' }, STANDARD).current).toBe(1);
    first.release();
    first.release();
    expect(limiter.look(FREE, STANDARD)).toEqual({ current: 1, maximum: 2, ofAccount: 1 });
    expect(limiter.acquire(FREE, STANDARD).current).toBe(2);
  });

  it('is twice as much for turbo models, and counted apart', () => {
    const limiter = new ConcurrencyLimiter(() => 16);
    const slots = Array.from({ length: 4 }, () => limiter.acquire(FREE, TURBO));
    expect(slots.at(-1)).toMatchObject({ current: 4, maximum: 4, ofAccount: 4 });
    expect(() => limiter.acquire(FREE, TURBO)).toThrow(/4 requests in progress.*tier free/);
    const standard = limiter.acquire(FREE, STANDARD);
    expect(standard).toMatchObject({ current: 1, maximum: 2, ofAccount: 5 });
    for (const slot of [...slots, standard]) slot.release();
    expect(limiter.look(FREE, TURBO)).toEqual({ current: 0, maximum: 4, ofAccount: 0 });
  });

  it('is up to the engine for an account without a limit', () => {
    const limiter = new ConcurrencyLimiter(() => 3);
    const slots = Array.from({ length: 5 }, () => limiter.acquire(UNLIMITED, STANDARD));
    expect(slots.at(-1)).toMatchObject({ current: 5, maximum: 3 });
  });

  it('follows a limit that changes meanwhile', () => {
    const limiter = new ConcurrencyLimiter(() => 16);
    for (let index = 0; index < 2; index++) limiter.acquire(FREE, STANDARD);
    expect(() => limiter.acquire(FREE, STANDARD)).toThrow();
    expect(limiter.acquire({ ...FREE, concurrencyLimit: 3 }, STANDARD).maximum).toBe(3);
    expect(() => limiter.acquire({ ...FREE, concurrencyLimit: 0 }, TURBO)).toThrow();
  });

  it('has what goes on wait for a slot, in turn, where what begins is refused', async () => {
    const limiter = new ConcurrencyLimiter(() => 16);
    const held = [1, 2].map(() => limiter.acquire(FREE, STANDARD));
    const entered: string[] = [];
    const enter = async (name: string) => {
      const slot = await limiter.acquireInTurn(FREE, STANDARD, { isContinuation: true });
      entered.push(name);
      return slot;
    };
    const [first, second] = [enter('first'), enter('second')];
    await expect(limiter.acquireInTurn(FREE, STANDARD)).rejects.toMatchObject({
      code: 'too_many_concurrent_requests',
    });
    held[0]?.release();
    const slot = await first;
    expect(entered).toEqual(['first']);
    expect(limiter.look(FREE, STANDARD).current).toBe(2);
    slot.release();
    // The second has the slot already, and is not overtaken.
    expect(() => limiter.acquire(FREE, STANDARD)).toThrow();
    (await second).release();
    held[1]?.release();
    expect(limiter.look(FREE, STANDARD).ofAccount).toBe(0);
  });

  it('stops waiting when nobody wants it any more, and where nothing is allowed', async () => {
    const limiter = new ConcurrencyLimiter(() => 16);
    const held = [1, 2].map(() => limiter.acquire(FREE, STANDARD));
    const controller = new AbortController();
    const wish = { isContinuation: true, signal: controller.signal };
    const waiting = limiter.acquireInTurn(FREE, STANDARD, wish);
    const reason = new Error('gone');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    for (const slot of held) slot.release();
    limiter.acquire(FREE, STANDARD).release();
    const suspended = { ...FREE, concurrencyLimit: 0 };
    await expect(limiter.acquireInTurn(suspended, STANDARD, wish)).rejects.toMatchObject({
      code: 'too_many_concurrent_requests',
    });
  });

  it('is told in headers', () => {
    const slot = new ConcurrencyLimiter(() => 16).acquire(FREE, TURBO);
    expect(concurrencyHeaders(slot)).toEqual({
      'current-concurrent-requests': '1',
      'maximum-concurrent-requests': '4',
      'workspace-concurrent-requests': '1',
    });
  });
});
