import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DEFAULT_ACCOUNT } from '../../../../src/domain/account.ts';
import type { ServiceEvent } from '../../../../src/domain/service-event.ts';
import { Accounts } from '../../../../src/service/account/accounts.ts';
import { ApiKeyRegistry } from '../../../../src/service/account/api-key-registry.ts';
import { Quota } from '../../../../src/service/account/quota.ts';
import { databaseHealth, type HealthLog } from '../../../support/storage-health.ts';
import { openStorageHere } from '../../../support/storage-here.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';
import { USAGE_LABELS } from '../../../support/usage-labels.ts';

const START = Date.parse('2026-03-10T00:00:00Z');
const DAY = 86_400_000;

/** The real ledger, with a clock that a test sets. */
async function openQuota() {
  const clock = { nowMs: START };
  const now = () => clock.nowMs;
  const storage = await openStorageHere({ dataDir: temporaryDir() });
  const events: ServiceEvent[] = [];
  const log: HealthLog = [];
  const quota = new Quota({
    usage: storage.usage,
    tell: async (event) => void events.push(event),
    now,
    health: databaseHealth(log),
  });
  onTestFinished(async () => {
    await quota.close();
    await storage.close();
  });
  const accounts = new Accounts(storage.accounts, now);
  const apiKeyRegistry = new ApiKeyRegistry({
    store: storage.keys,
    configuredSecret: undefined,
    now,
  });
  await accounts.create({ name: 'Acme', tier: 'free', characterLimit: 1000 }, 'acme');
  const { key } = await apiKeyRegistry.create('acme', 'bot', { characterLimit: 300 });
  const caller = { accountId: 'acme', keyId: key.keyId };
  const used = async () => (await quota.standing('acme')).usedCharacters;
  return { clock, storage, quota, accounts, apiKeyRegistry, caller, used, events, log };
}

describe('a reservation', () => {
  it('counts until it is settled, for what it was settled for', async () => {
    const { quota, caller, used } = await openQuota();
    const reservation = await quota.reserve(caller, 200, USAGE_LABELS);
    expect(reservation.characters).toBe(200);
    expect(await used()).toBe(200);
    await reservation.settle(120);
    expect(await used()).toBe(120);
  });

  it('ends once, however often it is ended', async () => {
    const { quota, caller, used } = await openQuota();
    const one = await quota.reserve(caller, 100, USAGE_LABELS);
    await Promise.all([one.settle(80), one.settle(80), one.refund()]);
    expect(await used()).toBe(80);
    const other = await quota.reserve(caller, 100, USAGE_LABELS);
    await other.refund();
    await other.settle(100);
    await other.deliver(100);
    expect(await used()).toBe(80);
  });

  it('is settled later when storage refused, and nobody is told', async () => {
    const { quota, caller, used, storage, log } = await openQuota();
    const reservation = await quota.reserve(caller, 100, USAGE_LABELS);
    vi.spyOn(storage.usage, 'settle').mockRejectedValueOnce(new Error('broken'));
    await reservation.settle(60);
    expect(await used()).toBe(100);
    await expect.poll(used, { timeout: 10_000 }).toBe(60);
    await expect
      .poll(() => log, { timeout: 15_000 })
      .toEqual([
        'database storage_failed: storage fails',
        'database storage_failed: storage works again',
      ]);
  });

  it('is kept over the lease by the process that works on it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { quota, caller, used, clock, log } = await openQuota();
    const reservation = await quota.reserve(caller, 100, USAGE_LABELS);
    for (let third = 0; third < 9; third++) {
      clock.nowMs += 20_000;
      vi.advanceTimersByTime(20_000);
      expect(await quota.recover()).toBe(0);
      expect(await used()).toBe(100);
    }
    await reservation.settle(100);
    expect(await used()).toBe(100);
    expect(log).toEqual([]);
  });

  it('gives back what was not delivered when its process is gone', async () => {
    const { quota, caller, used, clock } = await openQuota();
    await quota.reserve(caller, 100, USAGE_LABELS);
    const streaming = await quota.reserve(caller, 100, USAGE_LABELS);
    await streaming.deliver(35);
    await quota.close();
    clock.nowMs += 60_000;
    expect(await quota.recover()).toBe(2);
    expect(await used()).toBe(35);
  });
});

describe('the quota', () => {
  it('of a fresh installation has no end', async () => {
    const { quota } = await openQuota();
    const caller = { ...DEFAULT_ACCOUNT, keyId: 'configured' };
    for (let index = 0; index < 3; index++) {
      await (await quota.reserve(caller, 1_000_000_000, USAGE_LABELS)).settle(1_000_000_000);
    }
    const { account, usedCharacters } = await quota.standing(DEFAULT_ACCOUNT.accountId);
    expect(account.characterLimit).toBeNull();
    expect(usedCharacters).toBe(3_000_000_000);
  });

  it('of an account is shared by its keys, and theirs is their own', async () => {
    const { quota, caller, apiKeyRegistry, used } = await openQuota();
    const other = {
      accountId: 'acme',
      keyId: (await apiKeyRegistry.create('acme', 'other')).key.keyId,
    };
    await (await quota.reserve(caller, 300, USAGE_LABELS)).settle(300);
    await expect(quota.reserve(caller, 1, USAGE_LABELS)).rejects.toMatchObject({
      code: 'quota_exceeded',
      message: expect.stringMatching(/needs 1 characters, and 0 of the API key's 300 .*2026-04-10/),
    });
    await (await quota.reserve(other, 650, USAGE_LABELS)).settle(650);
    await expect(quota.reserve(other, 51, USAGE_LABELS)).rejects.toMatchObject({
      code: 'quota_exceeded',
      message: expect.stringContaining("50 of the account's 1000 are left"),
    });
    expect(await used()).toBe(950);
    const byKey = await apiKeyRegistry.usedCharacters('acme');
    expect(byKey.get(caller.keyId)).toBe(300);
    expect(byKey.get(other.keyId)).toBe(650);
  });

  it('starts afresh with each month, and what began in one is settled in it', async () => {
    const { quota, caller, used, clock } = await openQuota();
    const late = await quota.reserve(caller, 300, USAGE_LABELS);
    expect((await quota.standing('acme')).period).toEqual({
      startMs: START,
      endMs: START + 31 * DAY,
    });
    clock.nowMs += 31 * DAY;
    expect(await used()).toBe(0);
    await (await quota.reserve(caller, 250, USAGE_LABELS)).settle(250);
    await late.settle(100);
    expect(await used()).toBe(250);
    clock.nowMs -= DAY;
    expect(await used()).toBe(100);
  });

  it('follows limits that are changed', async () => {
    const { quota, caller, accounts, apiKeyRegistry } = await openQuota();
    await expect(quota.reserve(caller, 301, USAGE_LABELS)).rejects.toMatchObject({
      code: 'quota_exceeded',
    });
    await apiKeyRegistry.change('acme', caller.keyId, { characterLimit: null });
    await expect(quota.reserve(caller, 1001, USAGE_LABELS)).rejects.toMatchObject({
      code: 'quota_exceeded',
    });
    await accounts.change('acme', { tier: 'starter' });
    await (await quota.reserve(caller, 30_000, USAGE_LABELS)).refund();
    await accounts.change('acme', { characterLimit: null });
    await (await quota.reserve(caller, 30_001, USAGE_LABELS)).refund();
  });

  it('tells once a month and limit that it is reached', async () => {
    const { quota, caller, events, apiKeyRegistry, clock } = await openQuota();
    await (await quota.reserve(caller, 290, USAGE_LABELS)).settle(290);
    const refuse = () => expect(quota.reserve(caller, 20, USAGE_LABELS)).rejects.toThrow();
    await refuse();
    await refuse();
    expect(events).toEqual([
      {
        type: 'quota.reached',
        accountId: 'acme',
        data: {
          api_key_id: caller.keyId,
          character_count: 290,
          character_limit: 300,
          next_reset_unix: (START + 31 * DAY) / 1000,
        },
      },
    ]);
    await apiKeyRegistry.change('acme', caller.keyId, { characterLimit: 305 });
    await refuse();
    expect(events.length).toBe(2);
    await apiKeyRegistry.change('acme', caller.keyId, { characterLimit: null });
    await expect(quota.reserve(caller, 800, USAGE_LABELS)).rejects.toThrow();
    expect(events[2]).toMatchObject({ data: { api_key_id: null, character_limit: 1000 } });
    clock.nowMs += 31 * DAY;
    await expect(quota.reserve(caller, 1001, USAGE_LABELS)).rejects.toThrow();
    expect(events.length).toBe(4);
  });

  it('does not know accounts that there are not', async () => {
    const { quota } = await openQuota();
    const caller = { accountId: 'nobody', keyId: 'x' };
    await expect(quota.reserve(caller, 1, USAGE_LABELS)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('reports that it could not renew its lease, and goes on', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { quota, storage, log, caller } = await openQuota();
    vi.spyOn(storage.usage, 'expire').mockRejectedValueOnce(new Error('broken'));
    vi.advanceTimersByTime(20_000);
    await vi.waitUntil(() => log.length > 0);
    expect(log).toEqual(['database storage_failed: storage fails']);
    await (await quota.reserve(caller, 1, USAGE_LABELS)).settle(1);
  });
});
