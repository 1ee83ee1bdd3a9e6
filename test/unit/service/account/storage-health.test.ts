import { describe, expect, it } from 'vitest';
import { StorageHealth } from '../../../../src/service/account/storage-health.ts';

const FULL = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
const BUSY = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
const RECOVERY_MS = 2_000;
const TEN_MINUTES_MS = 600_000;

/** What is planned happens when the time is set beyond it. */
class Clock {
  #nowMs = 0;
  #planned: { atMs: number; action: () => void }[] = [];

  get nowMs(): number {
    return this.#nowMs;
  }

  set nowMs(nowMs: number) {
    this.#nowMs = nowMs;
    const due = this.#planned.filter(({ atMs }) => atMs <= nowMs);
    this.#planned = this.#planned.filter(({ atMs }) => atMs > nowMs);
    for (const { action } of due) action();
  }

  after(delayMs: number, action: () => void): () => void {
    const planned = { atMs: this.#nowMs + delayMs, action };
    this.#planned.push(planned);
    return () => {
      this.#planned = this.#planned.filter((other) => other !== planned);
    };
  }
}

function openHealth() {
  const log: unknown[] = [];
  const clock = new Clock();
  const note = (fields: object, message: string) => void log.push({ ...fields, message });
  const health = new StorageHealth({
    part: 'database',
    log: { error: note, warn: note },
    now: () => clock.nowMs,
    after: (delayMs, action) => clock.after(delayMs, action),
  });
  return { health, log, clock };
}

describe('the health of storage', () => {
  it('is a problem from the first failure until it has worked for a while, each told once', async () => {
    const { health, log, clock } = openHealth();
    expect(await health.inTime(Promise.resolve(5))).toBe(5);
    expect(health.problem).toBeUndefined();
    for (let index = 0; index < 3; index++) {
      expect(await health.inTime(Promise.reject(FULL))).toBeUndefined();
      clock.nowMs += 10;
    }
    expect(health.problem).toEqual({ part: 'database', reason: 'disk_full', forMs: 30 });
    expect(await health.inTime(Promise.resolve(5))).toBe(5);
    expect(health.problem).toMatchObject({ reason: 'disk_full' });
    clock.nowMs += RECOVERY_MS;
    expect(health.problem).toBeUndefined();
    expect(log).toEqual([
      { part: 'database', reason: 'disk_full', err: FULL, message: 'storage fails' },
      {
        part: 'database',
        reason: 'disk_full',
        forMs: 30 + RECOVERY_MS,
        failures: 3,
        message: 'storage works again',
      },
    ]);
  });

  it('does not keep anybody waiting, and learns the reason later', async () => {
    const { health } = openHealth();
    let fail: (thrown: unknown) => void = () => undefined;
    const hanging = new Promise<number>((_resolve, reject) => {
      fail = reject;
    });
    expect(await health.inTime(hanging)).toBeUndefined();
    expect(health.problem).toMatchObject({ reason: 'not_answering' });
    fail(BUSY);
    await expect.poll(() => health.problem?.reason).toBe('database_locked');
  });

  it('is beyond its grace after ten minutes, whatever the reasons were', () => {
    const { health, clock } = openHealth();
    health.failed(FULL);
    clock.nowMs = TEN_MINUTES_MS - 1;
    health.failed(BUSY);
    clock.nowMs = TEN_MINUTES_MS;
    expect(health.isBeyondGrace).toBe(false);
    clock.nowMs++;
    expect(health.isBeyondGrace).toBe(true);
    health.worked();
    clock.nowMs += RECOVERY_MS;
    expect(health.isBeyondGrace).toBe(false);
  });

  it('is one problem while storage works now and then', () => {
    const { health, log, clock } = openHealth();
    for (let round = 0; round < 20; round++) {
      health.failed(BUSY);
      clock.nowMs += 500;
      health.worked();
      clock.nowMs += RECOVERY_MS - 1;
    }
    expect(log).toHaveLength(1);
    clock.nowMs++;
    expect(log).toHaveLength(2);
  });

  it('does not recover while something that it was asked for hangs', async () => {
    const { health, clock } = openHealth();
    health.failed(BUSY);
    health.worked();
    let answer: (value: number) => void = () => undefined;
    const hanging = new Promise<number>((resolve) => {
      answer = resolve;
    });
    await health.inTime(hanging);
    await new Promise((resolve) => setTimeout(resolve, 300));
    clock.nowMs += RECOVERY_MS;
    expect(health.problem).toBeDefined();
    answer(1);
    await hanging;
    clock.nowMs += RECOVERY_MS;
    expect(health.problem).toBeUndefined();
  });
});
