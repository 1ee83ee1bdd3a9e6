import { describe, expect, it } from 'vitest';
import { type NewPlace, NO_LIMIT } from '../support/storages.ts';
import { delivery, webhook } from './webhook-samples.ts';

/** What every adapter of `WebhookStore` must do. */
export function webhookStoreContract(technology: string, newPlace: NewPlace): void {
  describe(`webhook store on ${technology}`, () => {
    it('returns exactly what was added, also after a restart', async () => {
      const place = newPlace();
      const plain = webhook();
      const used = webhook({
        createdAtMs: plain.createdAtMs + 1,
        events: [],
        isDisabled: true,
        isAutoDisabled: true,
        retryEnabled: false,
        consecutiveFailures: 7,
        lastSuccessAtMs: 1_763_700_000_125,
        lastFailureAtMs: 1_763_700_000_126,
        lastFailureStatus: 503,
      });
      const before = await place.open();
      for (const one of [used, plain]) await before.webhooks.add(one, NO_LIMIT);
      await before.close();
      await using after = await place.open();
      expect(await after.webhooks.list('default')).toEqual([plain, used]);
      expect(await after.webhooks.find('default', used.webhookId)).toEqual(used);
    });

    it('refuses a second webhook with the same id, and keeps the first', async () => {
      await using storage = await newPlace().open();
      const first = webhook();
      await storage.webhooks.add(first, NO_LIMIT);
      const second = webhook({ webhookId: first.webhookId, name: 'other' });
      await expect(storage.webhooks.add(second, NO_LIMIT)).rejects.toThrow(/stored already/);
      expect(await storage.webhooks.list('default')).toEqual([first]);
    });

    it('adds no more than the account may have, however many are added at once', async () => {
      await using storage = await newPlace().open();
      await storage.webhooks.add(webhook({ accountId: 'somebody-else' }), 5);
      const added = await Promise.all(
        Array.from({ length: 20 }, () => storage.webhooks.add(webhook(), 5)),
      );
      expect(added.filter(Boolean)).toHaveLength(5);
      expect(await storage.webhooks.list('default')).toHaveLength(5);
    });

    it('shows, changes and removes webhooks for their own account only', async () => {
      await using storage = await newPlace().open();
      const { webhooks } = storage;
      const one = webhook();
      await webhooks.add(one, NO_LIMIT);
      expect(await webhooks.find('somebody-else', one.webhookId)).toBeUndefined();
      expect(await webhooks.list('somebody-else')).toEqual([]);
      expect(await webhooks.change('somebody-else', one.webhookId, { name: 'x' })).toBe(false);
      expect(await webhooks.change('somebody-else', one.webhookId, {})).toBe(false);
      expect(await webhooks.remove('somebody-else', one.webhookId)).toBe(false);
      expect(await webhooks.list('default')).toEqual([one]);
    });

    it('changes what it is told to, and nothing else', async () => {
      await using storage = await newPlace().open();
      const one = webhook();
      await storage.webhooks.add(one, NO_LIMIT);
      await storage.webhooks.add(webhook({ accountId: 'somebody-else' }), NO_LIMIT);
      expect(await storage.webhooks.change('default', one.webhookId, {})).toBe(true);
      expect(await storage.webhooks.find('default', one.webhookId)).toEqual(one);
      const change = {
        name: 'new',
        sealedHeaders: 'bmV3',
        events: ['voice.ready' as const],
        isDisabled: true,
        isAutoDisabled: true,
        retryEnabled: false,
        enabledAtMs: 5,
        consecutiveFailures: 3,
      };
      expect(await storage.webhooks.change('default', one.webhookId, change)).toBe(true);
      expect(await storage.webhooks.list('default')).toEqual([{ ...one, ...change }]);
      const back = { isDisabled: false, isAutoDisabled: false, consecutiveFailures: 0 };
      await storage.webhooks.change('default', one.webhookId, back);
      expect(await storage.webhooks.list('default')).toEqual([{ ...one, ...change, ...back }]);
    });

    it('removes a webhook once, with its deliveries and no others', async () => {
      await using storage = await newPlace().open();
      const [one, other] = [webhook(), webhook()];
      for (const added of [one, other]) await storage.webhooks.add(added, NO_LIMIT);
      const kept = delivery({ webhookId: other.webhookId });
      await storage.outbox.add([delivery({ webhookId: one.webhookId }), kept]);
      expect(await storage.webhooks.remove('default', one.webhookId)).toBe(true);
      expect(await storage.webhooks.remove('default', one.webhookId)).toBe(false);
      const page = { limit: 9, after: undefined };
      expect(await storage.outbox.list(one.webhookId, page)).toEqual([]);
      expect(await storage.outbox.list(other.webhookId, page)).toEqual([kept]);
    });

    it('counts failures in a row, by whichever process', async () => {
      const place = newPlace();
      await using one = await place.open();
      await using other = await place.open();
      const added = webhook({ lastSuccessAtMs: 77 });
      await one.webhooks.add(added, NO_LIMIT);
      await one.webhooks.recordFailure(added.webhookId, { atMs: 100, status: 500 });
      expect(
        await other.webhooks.recordFailure(added.webhookId, { atMs: 101, status: null }),
      ).toEqual({ consecutiveFailures: 2, lastSuccessAtMs: 77, enabledAtMs: added.enabledAtMs });
      expect(await one.webhooks.find('default', added.webhookId)).toEqual({
        ...added,
        consecutiveFailures: 2,
        lastFailureAtMs: 101,
        lastFailureStatus: null,
      });
      expect(await one.webhooks.recordFailure('nobody', { atMs: 1, status: null })).toBeUndefined();
    });

    it('ends the row with a success, which it notes at least once an hour', async () => {
      await using storage = await newPlace().open();
      const { webhooks } = storage;
      const { webhookId } = webhook();
      await webhooks.add(webhook({ webhookId }), NO_LIMIT);
      const lastSuccess = async () => (await webhooks.find('default', webhookId))?.lastSuccessAtMs;
      await webhooks.recordSuccess(webhookId, 1_000);
      expect(await lastSuccess()).toBe(1_000);
      await webhooks.recordSuccess(webhookId, 1_000 + 3_600_001);
      expect(await lastSuccess()).toBe(1_000 + 3_600_001);
      await webhooks.recordFailure(webhookId, { atMs: 5_000_000, status: 500 });
      await webhooks.recordSuccess(webhookId, 5_000_001);
      expect(await webhooks.find('default', webhookId)).toMatchObject({
        consecutiveFailures: 0,
        lastSuccessAtMs: 5_000_001,
        lastFailureAtMs: 5_000_000,
      });
    });

    it('is switched off by one of several processes', async () => {
      const place = newPlace();
      await using one = await place.open();
      await using other = await place.open();
      const added = webhook();
      await one.webhooks.add(added, NO_LIMIT);
      const answers = await Promise.all(
        [one, other, one, other].map(({ webhooks }) => webhooks.autoDisable(added.webhookId)),
      );
      expect(answers.filter(Boolean).length).toBe(1);
      expect(await one.webhooks.find('default', added.webhookId)).toEqual({
        ...added,
        isAutoDisabled: true,
      });
    });
  });
}
