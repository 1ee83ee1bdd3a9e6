import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../src/domain/webhook.ts';
import type { Claim } from '../../src/service/storage/outbox-store.ts';
import type { Storage } from '../../src/service/storage/storage.ts';
import { type NewPlace, NO_LIMIT } from '../support/storages.ts';
import { delivery, SAMPLE_TIME_MS as NOW, webhook } from './webhook-samples.ts';

const ALL = { limit: 1_000, after: undefined };

function claim(given: Partial<Claim> = {}): Claim {
  return {
    nowMs: NOW,
    leaseUntilMs: NOW + 60_000,
    leaseId: randomUUID(),
    limit: 100,
    failing: false,
    exceptWebhookIds: [],
    ...given,
  };
}

/** A storage with webhooks of these ids. */
async function openWith(newPlace: NewPlace, ...webhookIds: string[]): Promise<Storage> {
  const storage = await newPlace().open();
  for (const webhookId of webhookIds) await storage.webhooks.add(webhook({ webhookId }), NO_LIMIT);
  return storage;
}

/** What every adapter of `OutboxStore` must do. */
export function outboxStoreContract(technology: string, newPlace: NewPlace): void {
  describe(`outbox store on ${technology}`, () => {
    it('keeps exactly what was added, over a restart', async () => {
      const place = newPlace();
      const plain = delivery();
      const used = delivery({
        createdAtMs: NOW - 1,
        state: 'failed',
        attempts: 10,
        lastAttemptAtMs: NOW + 5,
        lastStatus: 500,
        lastProblem: 'It "failed".',
      });
      const before = await place.open();
      await before.outbox.add([used, plain]);
      await before.outbox.add([]);
      await before.close();
      await using after = await place.open();
      expect(await after.outbox.list('hook', ALL)).toEqual([plain, used]);
    });

    it('adds all or none', async () => {
      await using storage = await openWith(newPlace, 'hook');
      const there = delivery();
      await storage.outbox.add([there]);
      await expect(storage.outbox.add([delivery(), there, delivery()])).rejects.toThrow();
      expect(await storage.outbox.list('hook', ALL)).toEqual([there]);
    });

    it('hands out what is due, one of each webhook, the longest due first', async () => {
      await using storage = await openWith(newPlace, 'a', 'b', 'c');
      const longest = delivery({ webhookId: 'b', dueAtMs: NOW - 9 });
      const first = delivery({ webhookId: 'a', dueAtMs: NOW - 5 });
      const second = delivery({ webhookId: 'a', dueAtMs: NOW });
      const later = delivery({ webhookId: 'c', dueAtMs: NOW + 1 });
      await storage.outbox.add([second, later, first, longest]);
      const leaseId = 'lease-1';
      const claimed = await storage.outbox.claim(claim({ leaseId }));
      const dueAtMs = NOW + 60_000;
      expect(claimed.toSorted((one, other) => (one.webhookId < other.webhookId ? -1 : 1))).toEqual([
        { ...first, dueAtMs, leaseId },
        { ...longest, dueAtMs, leaseId },
      ]);
      const ids = async (given: Partial<Claim>) =>
        (await storage.outbox.claim(claim(given))).map(({ deliveryId }) => deliveryId);
      expect(await ids({})).toEqual([second.deliveryId]);
      expect(await ids({})).toEqual([]);
      expect(await ids({ nowMs: NOW + 1 })).toEqual([later.deliveryId]);
    });

    it('hands out no more than is asked for, and the longest due of all', async () => {
      await using storage = await openWith(newPlace, 'a', 'b', 'c');
      await storage.outbox.add(
        ['a', 'b', 'c'].map((webhookId, index) => delivery({ webhookId, dueAtMs: NOW - index })),
      );
      const claimed = await storage.outbox.claim(claim({ limit: 2 }));
      expect(claimed.map(({ webhookId }) => webhookId).sort()).toEqual(['b', 'c']);
    });

    it('passes over webhooks that are busy, disabled or gone', async () => {
      await using storage = await openWith(newPlace, 'busy', 'free', 'off', 'auto', 'busy2');
      await storage.webhooks.change('default', 'off', { isDisabled: true });
      await storage.webhooks.autoDisable('auto');
      const ids = ['busy', 'free', 'off', 'auto', 'gone', 'busy2'];
      await storage.outbox.add(ids.map((webhookId) => delivery({ webhookId })));
      const exceptWebhookIds = ['busy', 'busy2'];
      const claimed = await storage.outbox.claim(claim({ exceptWebhookIds }));
      expect(claimed.map(({ webhookId }) => webhookId)).toEqual(['free']);
    });

    it('looks at failing webhooks apart from the others', async () => {
      await using storage = await openWith(newPlace, 'well', 'ill');
      await storage.webhooks.recordFailure('ill', { atMs: NOW, status: 500 });
      await storage.outbox.add(['well', 'ill'].map((webhookId) => delivery({ webhookId })));
      const [one] = await storage.outbox.claim(claim({ failing: true }));
      expect(one?.webhookId).toBe('ill');
      const [other] = await storage.outbox.claim(claim({ failing: false }));
      expect(other?.webhookId).toBe('well');
    });

    it('settles what was claimed', async () => {
      await using storage = await openWith(newPlace, 'hook');
      await storage.outbox.add([delivery()]);
      const [claimed] = await storage.outbox.claim(claim());
      if (!claimed) throw new Error('nothing was claimed');
      const settlement = {
        state: 'pending',
        attempts: 1,
        dueAtMs: NOW + 5_000,
        lastAttemptAtMs: NOW + 3,
        lastStatus: 503,
        lastProblem: 'The receiver answered 503.',
      } as const;
      expect(await storage.outbox.settle(claimed, settlement)).toBe(true);
      const { leaseId: _, ...before } = claimed;
      expect(await storage.outbox.list('hook', ALL)).toEqual([{ ...before, ...settlement }]);
      expect(await storage.outbox.settle(claimed, settlement)).toBe(false);
      expect(await storage.outbox.claim(claim({ nowMs: NOW + 4_999 }))).toEqual([]);
      expect((await storage.outbox.claim(claim({ nowMs: NOW + 5_000 }))).length).toBe(1);
    });

    it.each(['delivered', 'failed'] as const)('hands out nothing that is %s', async (state) => {
      await using storage = await openWith(newPlace, 'hook');
      await storage.outbox.add([delivery()]);
      const [claimed] = await storage.outbox.claim(claim());
      if (!claimed) throw new Error('nothing was claimed');
      await storage.outbox.settle(claimed, { ...claimed, state, dueAtMs: NOW });
      expect(await storage.outbox.claim(claim({ nowMs: NOW + 1e9 }))).toEqual([]);
    });

    it('gives a delivery to another when its lease runs out, and heeds the first no more', async () => {
      await using storage = await openWith(newPlace, 'hook');
      await storage.outbox.add([delivery()]);
      const [first] = await storage.outbox.claim(claim());
      const nowMs = NOW + 60_000;
      const [second] = await storage.outbox.claim(claim({ nowMs, leaseUntilMs: nowMs + 60_000 }));
      if (!first || !second) throw new Error('nothing was claimed');
      expect(second.deliveryId).toBe(first.deliveryId);
      expect(await storage.outbox.settle(first, { ...first, state: 'failed' })).toBe(false);
      expect(await storage.outbox.settle(second, { ...second, state: 'delivered' })).toBe(true);
      expect((await storage.outbox.list('hook', ALL))[0]?.state).toBe('delivered');
    });

    it('hands each delivery to one of many that ask at the same time', async () => {
      const place = newPlace();
      const open = await Promise.all(Array.from({ length: 4 }, () => place.open()));
      const ids = Array.from({ length: 10 }, (_, index) => `hook-${index}`);
      for (const webhookId of ids) await open[0]?.webhooks.add(webhook({ webhookId }), NO_LIMIT);
      const all = ids.flatMap((webhookId) =>
        Array.from({ length: 10 }, () => delivery({ webhookId })),
      );
      await open[0]?.outbox.add(all);
      const claimed: string[] = [];
      await Promise.all(
        open.map(async ({ outbox }) => {
          // A claim may come away with nothing because another was faster; then there is still more.
          while (claimed.length < all.length) {
            const won = await outbox.claim(claim({ limit: 3 }));
            claimed.push(...won.map(({ deliveryId }) => deliveryId));
          }
        }),
      );
      expect(claimed.toSorted()).toEqual(all.map(({ deliveryId }) => deliveryId).sort());
      await Promise.all(open.map((storage) => storage.close()));
    });

    it.each(['delivered', 'failed', 'pending'] as const)(
      'makes one that is %s due again, with all its attempts',
      async (state) => {
        await using storage = await openWith(newPlace, 'hook');
        const one = delivery({ state, attempts: 10, dueAtMs: NOW + 9e9, lastStatus: 500 });
        await storage.outbox.add([one, delivery({ state: 'failed' })]);
        expect(await storage.outbox.redeliver('other', one.deliveryId, NOW + 7)).toBe(false);
        expect(await storage.outbox.redeliver('hook', 'other', NOW + 7)).toBe(false);
        expect(await storage.outbox.redeliver('hook', one.deliveryId, NOW + 7)).toBe(true);
        const claimed = await storage.outbox.claim(claim({ nowMs: NOW + 7 }));
        expect(claimed).toMatchObject([
          { deliveryId: one.deliveryId, attempts: 0, state: 'pending', lastStatus: 500 },
        ]);
      },
    );

    it('takes a delivery that is redelivered from whoever has claimed it', async () => {
      await using storage = await openWith(newPlace, 'hook');
      const one = delivery();
      await storage.outbox.add([one]);
      const [claimed] = await storage.outbox.claim(claim());
      if (!claimed) throw new Error('nothing was claimed');
      await storage.outbox.redeliver('hook', one.deliveryId, NOW);
      expect(await storage.outbox.settle(claimed, { ...claimed, state: 'failed' })).toBe(false);
      expect((await storage.outbox.claim(claim())).length).toBe(1);
    });

    it('lists page by page, newest first, each delivery once', async () => {
      await using storage = await openWith(newPlace, 'hook');
      const all = Array.from({ length: 25 }, (_, index) =>
        delivery({ createdAtMs: NOW + Math.floor(index / 4) }),
      );
      await storage.outbox.add([...all, delivery({ webhookId: 'other' })]);
      const listed: Delivery[] = [];
      while (listed.length < 25) {
        const page = await storage.outbox.list('hook', { limit: 3, after: listed.at(-1) });
        expect(page.length).toBe(Math.min(3, 25 - listed.length));
        listed.push(...page);
      }
      expect(await storage.outbox.list('hook', { limit: 3, after: listed.at(-1) })).toEqual([]);
      expect(new Set(listed.map(({ deliveryId }) => deliveryId)).size).toBe(25);
      const times = listed.map(({ createdAtMs }) => createdAtMs);
      expect(times).toEqual(times.toSorted((one, other) => other - one));
    });

    it('forgets what is older, a limited number at a time', async () => {
      await using storage = await openWith(newPlace, 'hook');
      const kept = delivery({ createdAtMs: NOW });
      const old = Array.from({ length: 5 }, () => delivery({ createdAtMs: NOW - 1 }));
      await storage.outbox.add([kept, ...old]);
      await storage.outbox.prune(NOW, 3);
      expect((await storage.outbox.list('hook', ALL)).length).toBe(3);
      await storage.outbox.prune(NOW, 3);
      expect(await storage.outbox.list('hook', ALL)).toEqual([kept]);
    });
  });
}
