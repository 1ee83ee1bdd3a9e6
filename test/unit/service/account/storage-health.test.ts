import { describe, expect, it } from 'vitest';
import { StorageHealth } from '../../../../src/service/account/storage-health.ts';

const FULL = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
const BUSY = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
const TEN_MINUTES_MS = 600_000;

function openHealth() {
  const log: unknown[] = [];
  const clock = { nowMs: 0 };
  const note = (fields: object, message: string) => void log.push({ ...fields, message });
  const health = new StorageHealth({
    part: 'database',
    log: { error: note, warn: note },
    now: () => clock.nowMs,
  });
  return { health, log, clock };
}

describe('the health of storage', () => {
  it('is a problem from the first failure to the next success, each told once', async () => {
    const { health, log, clock } = openHealth();
    expect(await health.inTime(Promise.resolve(5))).toBe(5);
    expect(health.problem).toBeUndefined();
    for (let index = 0; index < 3; index++) {
      expect(await health.inTime(Promise.reject(FULL))).toBeUndefined();
      clock.nowMs += 10;
    }
    expect(health.problem).toEqual({ part: 'database', reason: 'disk_full', forMs: 30 });
    expect(await health.inTime(Promise.resolve(5))).toBe(5);
    expect(health.problem).toBeUndefined();
    expect(log).toEqual([
      { part: 'database', reason: 'disk_full', err: FULL, message: 'storage fails' },
      {
        part: 'database',
        reason: 'disk_full',
        forMs: 30,
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
    expect(health.isBeyondGrace).toBe(false);
  });
});
