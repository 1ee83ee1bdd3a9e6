import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { UsageDimension } from '../../src/domain/usage.ts';
import type { Storage } from '../../src/service/storage/storage.ts';
import type { Hold, UsageSpan, UsageSubject } from '../../src/service/storage/usage-store.ts';
import { NO_LIMIT, type StoragePlace } from '../support/storages.ts';
import { accountRecord } from './account-store-contract.ts';
import { apiKey } from './key-store-contract.ts';

const NOW = 1_763_700_000_000;
const MONTH = 1_763_000_000_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Of a day (UTC) some time before. */
const DAY = 1_763_596_800_000;
const HOUR = DAY + 9 * HOUR_MS;
const NO_LIMITS = { account: null, key: null };
const ACCOUNT: UsageSubject = { accountId: 'acme', keyId: undefined, periodStartMs: MONTH };
const KEY: UsageSubject = { ...ACCOUNT, keyId: 'key-1' };
const OTHER_KEY: UsageSubject = { ...ACCOUNT, keyId: 'key-2' };

function hold(given: Partial<Hold> = {}): Hold {
  return {
    holdId: randomUUID(),
    accountId: 'acme',
    keyId: 'key-1',
    periodStartMs: MONTH,
    hourStartMs: HOUR,
    modelId: 'turbo',
    voiceId: 'ada',
    characters: 100,
    ownerId: 'process-1',
    expiresAtMs: NOW + 60_000,
    ...given,
  };
}

/** `[from, label, characters]`, the time in hours of that day. */
async function overTime({ usage }: Storage, by?: UsageDimension, span: Partial<UsageSpan> = {}) {
  const whole = { accountId: 'acme', fromMs: 0, toMs: NOW * 2, ...(by && { by }), ...span };
  const entries = await usage.usedOverTime(whole);
  return entries
    .map(({ fromMs, label, characters }) => [(fromMs - DAY) / HOUR_MS, label, characters] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other))
    .toSorted(([one], [other]) => one - other);
}

async function charge({ usage }: Storage, given: Partial<Hold>, characters: number) {
  const each = hold(given);
  await usage.hold(each, NO_LIMITS);
  await usage.settle(each.holdId, characters);
}

async function usedBy({ usage }: Storage): Promise<readonly number[]> {
  return Promise.all([ACCOUNT, KEY, OTHER_KEY].map((subject) => usage.used(subject)));
}

/** What every adapter of `UsageStore` must do. */
export function usageStoreContract(technology: string, newPlace: () => StoragePlace): void {
  describe(`usage store on ${technology}`, () => {
    it('knows the bounds of an account and of its keys', async () => {
      await using storage = await newPlace().open();
      const account = accountRecord();
      await storage.accounts.add(account);
      const key = apiKey({ accountId: 'acme', characterLimit: 7 });
      await storage.keys.add(key, NO_LIMIT);
      const foreign = apiKey({ accountId: 'default', characterLimit: 9 });
      await storage.keys.add(foreign, NO_LIMIT);
      const { usage } = storage;
      expect(await usage.bounds('acme', key.keyId)).toEqual({ account, keyLimit: 7 });
      expect(await usage.bounds('acme', 'configured')).toEqual({ account, keyLimit: null });
      expect(await usage.bounds('acme', foreign.keyId)).toEqual({ account, keyLimit: null });
      expect(await usage.bounds('nobody', key.keyId)).toBeUndefined();
    });

    it('counts a hold for the account and its key, month by month', async () => {
      await using storage = await newPlace().open();
      await storage.usage.hold(hold(), NO_LIMITS);
      await storage.usage.hold(hold({ keyId: 'key-2', characters: 11 }), NO_LIMITS);
      await storage.usage.hold(hold({ periodStartMs: MONTH + 1, characters: 5000 }), NO_LIMITS);
      await storage.usage.hold(hold({ accountId: 'other', characters: 3 }), NO_LIMITS);
      expect(await usedBy(storage)).toEqual([111, 100, 11]);
      const byKey = await storage.keys.usedCharacters('acme', MONTH);
      expect(Object.fromEntries(byKey)).toEqual({ 'key-1': 100, 'key-2': 11 });
    });

    it('settles once: more, less or nothing', async () => {
      await using storage = await newPlace().open();
      const holds = [hold(), hold(), hold({ keyId: 'key-2' })];
      for (const each of holds) await storage.usage.hold(each, NO_LIMITS);
      const actual = [60, 130, 0];
      for (const [index, { holdId }] of holds.entries()) {
        expect(await storage.usage.settle(holdId, actual[index] ?? 0)).toBe(true);
      }
      expect(await usedBy(storage)).toEqual([190, 190, 0]);
      for (const { holdId } of holds) expect(await storage.usage.settle(holdId, 999)).toBe(false);
      expect(await usedBy(storage)).toEqual([190, 190, 0]);
    });

    it.each([
      [{ account: 250, key: null }, 'account-limit'],
      [{ account: null, key: 250 }, 'key-limit'],
      [{ account: 250, key: 250 }, 'account-limit'],
      [{ account: 250, key: 9999 }, 'account-limit'],
    ] as const)('keeps within %j, and counts nothing of what it refuses', async (limits, who) => {
      await using storage = await newPlace().open();
      expect(await storage.usage.hold(hold({ characters: 251 }), limits)).toBe(who);
      expect(await usedBy(storage)).toEqual([0, 0, 0]);
      expect(await storage.usage.hold(hold(), limits)).toBe('held');
      expect(await storage.usage.hold(hold({ characters: 151 }), limits)).toBe(who);
      expect(await usedBy(storage)).toEqual([100, 100, 0]);
      expect(await storage.usage.hold(hold({ characters: 150 }), limits)).toBe('held');
      expect(await storage.usage.hold(hold({ characters: 1 }), limits)).toBe(who);
      expect(await storage.usage.hold(hold({ characters: 0 }), limits)).toBe('held');
      expect(await usedBy(storage)).toEqual([250, 250, 0]);
    });

    it('leaves no hold behind when it refuses', async () => {
      await using storage = await newPlace().open();
      const refused = hold();
      await storage.usage.hold(refused, { account: 99, key: null });
      expect(await storage.usage.settle(refused.holdId, 50)).toBe(false);
      expect(await usedBy(storage)).toEqual([0, 0, 0]);
    });

    it('lets exactly as much pass as the limit allows, of what comes at the same time', async () => {
      await using storage = await newPlace().open();
      const results = await Promise.all(
        Array.from({ length: 30 }, () => storage.usage.hold(hold(), { account: 1250, key: null })),
      );
      expect(results.filter((result) => result === 'held').length).toBe(12);
      expect(await usedBy(storage)).toEqual([1200, 1200, 0]);
    });

    it('expires what nobody extends: charges what was delivered, once', async () => {
      await using storage = await newPlace().open();
      const { usage } = storage;
      const silent = hold();
      const half = hold({ keyId: 'key-2' });
      const alive = hold({ ownerId: 'process-2', characters: 7 });
      for (const each of [silent, half, alive]) await usage.hold(each, NO_LIMITS);
      await usage.deliver(half.holdId, 40);
      await usage.extend('process-2', NOW + 90_000);
      expect(await usage.expire(NOW + 59_999)).toBe(0);
      expect(await usedBy(storage)).toEqual([207, 107, 100]);
      expect(await usage.expire(NOW + 60_000)).toBe(2);
      expect(await usedBy(storage)).toEqual([47, 7, 40]);
      expect(await usage.expire(NOW + 60_000)).toBe(0);
      expect(await usage.expire(NOW + 90_000)).toBe(1);
      expect(await usedBy(storage)).toEqual([40, 0, 40]);
    });

    it('names each owner that has holds, once', async () => {
      await using storage = await newPlace().open();
      const { usage } = storage;
      expect(await usage.owners()).toEqual([]);
      const settled = hold({ ownerId: 'process-3' });
      for (const each of [hold(), hold(), hold({ ownerId: 'process-2' }), settled]) {
        await usage.hold(each, NO_LIMITS);
      }
      await usage.settle(settled.holdId, 1);
      expect((await usage.owners()).toSorted()).toEqual(['process-1', 'process-2']);
      await usage.extend('process-1', NOW - 1);
      await usage.expire(NOW);
      expect(await usage.owners()).toEqual(['process-2']);
    });

    it('charges an owner that was only slow for what it settles in the end, once', async () => {
      await using storage = await newPlace().open();
      const { usage } = storage;
      const late = hold();
      await usage.hold(late, NO_LIMITS);
      await usage.deliver(late.holdId, 30);
      await usage.expire(NOW + 60_000);
      await usage.deliver(late.holdId, 90);
      await usage.extend(late.ownerId, NOW + 120_000);
      expect(await usedBy(storage)).toEqual([30, 30, 0]);
      expect(await usage.settle(late.holdId, 95)).toBe(true);
      expect(await usage.settle(late.holdId, 95)).toBe(false);
      expect(await usedBy(storage)).toEqual([95, 95, 0]);
    });

    it('forgets expired holds after an hour', async () => {
      await using storage = await newPlace().open();
      const { usage } = storage;
      const lost = hold();
      await usage.hold(lost, NO_LIMITS);
      await usage.expire(NOW + 60_000);
      await usage.expire(NOW + 60_000 + 3_600_000);
      expect(await usage.settle(lost.holdId, 95)).toBe(false);
      expect(await usedBy(storage)).toEqual([0, 0, 0]);
    });

    it('ends each hold once when all try at the same time', async () => {
      await using storage = await newPlace().open();
      const { usage } = storage;
      const holds = Array.from({ length: 10 }, () => hold());
      for (const each of holds) await usage.hold(each, NO_LIMITS);
      const expired = await Promise.all([usage.expire(NOW + 60_000), usage.expire(NOW + 60_000)]);
      expect(expired[0] + expired[1]).toBe(10);
      expect(await usedBy(storage)).toEqual([0, 0, 0]);
      const settled = await Promise.all(
        holds.flatMap(({ holdId }) => [usage.settle(holdId, 9), usage.settle(holdId, 9)]),
      );
      expect(settled.filter(Boolean).length).toBe(10);
      expect(await usedBy(storage)).toEqual([90, 90, 0]);
    });

    it('tells what was charged by hour, key, model and voice, of one account', async () => {
      await using storage = await newPlace().open();
      const later = { hourStartMs: HOUR + HOUR_MS };
      await storage.usage.hold(hold(), NO_LIMITS);
      await charge(storage, {}, 0);
      expect(await overTime(storage)).toEqual([]);
      await charge(storage, {}, 60);
      await charge(storage, { voiceId: 'ben' }, 130);
      await charge(storage, { ...later, keyId: 'key-2', modelId: 'best' }, 100);
      await charge(storage, { accountId: 'other' }, 7);
      expect(await overTime(storage)).toEqual([
        [9, '', 190],
        [10, '', 100],
      ]);
      expect(await overTime(storage, 'key')).toEqual([
        [9, 'key-1', 190],
        [10, 'key-2', 100],
      ]);
      expect(await overTime(storage, 'model')).toEqual([
        [9, 'turbo', 190],
        [10, 'best', 100],
      ]);
      expect(await overTime(storage, 'voice')).toEqual([
        [9, 'ada', 60],
        [9, 'ben', 130],
        [10, 'ada', 100],
      ]);
      const from10 = { fromMs: HOUR + 1 };
      expect(await overTime(storage, undefined, from10)).toEqual([[10, '', 100]]);
      const to10 = { fromMs: HOUR, toMs: HOUR + HOUR_MS };
      expect(await overTime(storage, undefined, to10)).toEqual([[9, '', 190]]);
    });

    it('counts for its hour what an expired hold delivered, and what it settles in the end', async () => {
      await using storage = await newPlace().open();
      const { usage } = storage;
      const late = hold();
      await usage.hold(late, NO_LIMITS);
      await usage.deliver(late.holdId, 30);
      await usage.expire(NOW + 60_000);
      expect(await overTime(storage)).toEqual([[9, '', 30]]);
      await usage.settle(late.holdId, 95);
      expect(await overTime(storage)).toEqual([[9, '', 95]]);
    });

    it('sums hours up to days and forgets old days, however often it is told', async () => {
      await using storage = await newPlace().open();
      const hours = [-25, 0, 1, 23, 24, 25];
      for (const [index, hour] of hours.entries()) {
        await charge(storage, { hourStartMs: DAY + hour * HOUR_MS }, 10 ** index);
      }
      await charge(storage, { hourStartMs: HOUR, voiceId: 'ben' }, 7);
      await storage.usage.condense(DAY + DAY_MS, DAY);
      const condensed = [
        [0, 'ada', 1110],
        [0, 'ben', 7],
        [24, 'ada', 10_000],
        [25, 'ada', 100_000],
      ];
      expect(await overTime(storage, 'voice')).toEqual(condensed);
      await storage.usage.condense(DAY + DAY_MS, DAY);
      expect(await overTime(storage, 'voice')).toEqual(condensed);
      // What comes late for a day that has been summed up is added to it.
      await charge(storage, { hourStartMs: HOUR }, 90);
      await storage.usage.condense(DAY + DAY_MS, DAY);
      expect(await overTime(storage, 'voice')).toEqual([[0, 'ada', 1200], ...condensed.slice(1)]);
      expect((await usedBy(storage))[0]).toBeGreaterThan(111_000);
    });

    it('marks a limit as reached once a month, subject and limit', async () => {
      const place = newPlace();
      await using one = await place.open();
      await using other = await place.open();
      expect(await one.usage.markReached(ACCOUNT, 100)).toBe(true);
      expect(await other.usage.markReached(ACCOUNT, 100)).toBe(false);
      expect(await one.usage.markReached(KEY, 100)).toBe(true);
      expect(await one.usage.markReached({ ...ACCOUNT, periodStartMs: MONTH + 1 }, 100)).toBe(true);
      expect(await other.usage.markReached(ACCOUNT, 200)).toBe(true);
      expect(await one.usage.markReached(ACCOUNT, 200)).toBe(false);
      expect(await usedBy(one)).toEqual([0, 0, 0]);
    });
  });
}
