import { WebhooksClient } from '@elevenlabs/elevenlabs-js/wrapper/webhooks.js';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { type Answer, WebhookReceiver } from '../../../support/webhook-receiver.ts';
import { ACCOUNT, openWebhooks, VOICE_READY } from './dispatch-harness.ts';

const DAY_MS = 86_400_000;

describe('a delivery', () => {
  it('carries the event, signed in both ways, and the headers of its owner', async () => {
    const receiver = await WebhookReceiver.start();
    const webhooks = await openWebhooks();
    webhooks.clock.nowMs = Date.now();
    const { secret } = await webhooks.create(receiver.url, {
      requestHeaders: { Authorization: 'Bearer abc', 'User-Agent': 'ours' },
    });
    await webhooks.tell(VOICE_READY);
    const [received] = await receiver.has(1);
    const headers = received?.headers as Record<string, string>;
    const body = received?.body ?? '';
    expect(headers).toMatchObject({
      authorization: 'Bearer abc',
      'user-agent': 'ours',
      'content-type': 'application/json',
    });
    expect(JSON.parse(body)).toEqual({
      type: 'voice.ready',
      event_timestamp: Math.floor(webhooks.clock.nowMs / 1000),
      data: { voice_id: 'v1', name: 'Zoë' },
    });
    const signature = headers['elevenlabs-signature'] ?? '';
    await new WebhooksClient({}).constructEvent(body, signature, secret);
    new Webhook(secret).verify(body, headers);
  });

  it('is made once when it succeeds, and noted', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = [204];
    const webhooks = await openWebhooks();
    const { webhook } = await webhooks.create(receiver.url);
    await webhooks.tell(VOICE_READY);
    const delivery = await webhooks.delivery(
      webhook.webhookId,
      ({ state }) => state === 'delivered',
    );
    expect(delivery).toMatchObject({ attempts: 1, lastStatus: 204, lastProblem: null });
    webhooks.pass(30 * DAY_MS);
    await webhooks.dispatcher.close();
    expect(receiver.received.length).toBe(1);
  });

  it('goes to every webhook that wants the event, and to no other', async () => {
    const webhooks = await openWebhooks();
    const wanted = [await WebhookReceiver.start(), await WebhookReceiver.start()];
    const unwanted = await WebhookReceiver.start();
    for (const { url } of wanted)
      await webhooks.create(url, { events: ['call.ended', 'voice.ready'] });
    await webhooks.create(unwanted.url, { events: ['call.ended'] });
    const disabled = await webhooks.create(unwanted.url);
    await webhooks.registry.edit(ACCOUNT, disabled.webhook.webhookId, { isDisabled: true });
    await webhooks.registry.create('somebody-else', {
      name: 'theirs',
      url: unwanted.url,
      requestHeaders: {},
      events: ['voice.ready'],
      retryEnabled: true,
    });
    await webhooks.tell(VOICE_READY);
    const ids = await Promise.all(
      wanted.map(async (receiver) => (await receiver.has(1))[0]?.headers['webhook-id']),
    );
    expect(ids[0]).toMatch(/^evt_/);
    expect(ids[1]).toBe(ids[0]);
    await webhooks.dispatcher.close();
    expect(unwanted.received).toEqual([]);
  });
});

describe('a delivery that fails', () => {
  it('is made again on schedule, ten times in all, with the same id and a fresh signature', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = [500];
    const webhooks = await openWebhooks();
    const { webhook } = await webhooks.create(receiver.url);
    await webhooks.tell(VOICE_READY);
    const [minute, hour] = [60_000, 3_600_000];
    const delays = [5_000, 5 * minute, 30 * minute, 2 * hour, 5 * hour];
    delays.push(10 * hour, 14 * hour, 20 * hour, 24 * hour);
    for (const [index, delayMs] of delays.entries()) {
      await webhooks.delivery(webhook.webhookId, ({ attempts }) => attempts === index + 1);
      webhooks.pass(delayMs - 1);
      await webhooks.dispatcher.idle();
      expect(receiver.received.length).toBe(index + 1);
      webhooks.pass(1);
    }
    const last = await webhooks.delivery(webhook.webhookId, ({ state }) => state === 'failed');
    expect(last).toMatchObject({
      attempts: 10,
      lastStatus: 500,
      lastProblem: 'The receiver answered 500.',
    });
    webhooks.pass(DAY_MS);
    await webhooks.dispatcher.idle();
    expect(receiver.received.length).toBe(10);
    const { received } = receiver;
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers['webhook-signature'])).size).toBe(10);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  it.each<[Answer, number | null, string]>([
    [404, 404, 'The receiver answered 404.'],
    [
      [302, { location: 'http://169.254.169.254/' }],
      302,
      'The receiver answered 302. Redirects are not followed.',
    ],
    ['hang', null, 'The receiver did not answer within 0.2 seconds.'],
  ])('tells its owner why: %j', async (answer, lastStatus, lastProblem) => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = [answer];
    const webhooks = await openWebhooks({ timeoutMs: 200 });
    const { webhook } = await webhooks.create(receiver.url);
    await webhooks.tell(VOICE_READY);
    const delivery = await webhooks.delivery(webhook.webhookId, ({ attempts }) => attempts === 1);
    expect(delivery).toMatchObject({ state: 'pending', lastStatus, lastProblem });
    expect(await webhooks.webhook(webhook.webhookId)).toMatchObject({
      consecutiveFailures: 1,
      lastFailureStatus: lastStatus,
      lastFailureAtMs: webhooks.clock.nowMs,
    });
  });

  it('tells no address of the network, whatever the system says', async () => {
    const receiver = await WebhookReceiver.start();
    await receiver.stop();
    const webhooks = await openWebhooks({
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    const { webhook } = await webhooks.create('http://hooks.example:8080/');
    await webhooks.tell(VOICE_READY);
    const delivery = await webhooks.delivery(webhook.webhookId, ({ attempts }) => attempts === 1);
    expect(delivery.lastProblem).toBe('The receiver could not be reached (ECONNREFUSED).');
  });

  it('is not made where the guard has come to forbid it', async () => {
    const receiver = await WebhookReceiver.start();
    const resolve = async () => [{ address: '10.0.0.1', family: 4 }];
    const webhooks = await openWebhooks({ resolve });
    const { webhook } = await webhooks.create('http://hooks.example:8080/');
    await webhooks.tell(VOICE_READY);
    const delivery = await webhooks.delivery(webhook.webhookId, ({ attempts }) => attempts === 1);
    expect(delivery.lastProblem).toMatch(/not on the public internet/);
    expect(delivery.lastProblem).not.toContain('10.0.0.1');
    expect(receiver.received).toEqual([]);
  });

  it('waits for as long as the receiver asks', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = [[503, { 'retry-after': '600' }], 200];
    const webhooks = await openWebhooks();
    const { webhook } = await webhooks.create(receiver.url);
    await webhooks.tell(VOICE_READY);
    const delivery = await webhooks.delivery(webhook.webhookId, ({ attempts }) => attempts === 1);
    expect(delivery.dueAtMs).toBe(webhooks.clock.nowMs + 600_000);
    webhooks.pass(600_000);
    await receiver.has(2);
    await webhooks.delivery(webhook.webhookId, ({ state }) => state === 'delivered');
    expect((await webhooks.webhook(webhook.webhookId)).consecutiveFailures).toBe(0);
  });

  it('is the last to a receiver that is gone', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = [410];
    const webhooks = await openWebhooks();
    const { webhook, secret } = await webhooks.create(receiver.url);
    await webhooks.tell(VOICE_READY);
    await webhooks.delivery(webhook.webhookId, ({ state }) => state === 'failed');
    await webhooks.dispatcher.idle();
    expect(await webhooks.webhook(webhook.webhookId)).toMatchObject({
      isDisabled: false,
      isAutoDisabled: true,
    });
    expect(webhooks.warned).toMatchObject([{ webhookId: webhook.webhookId }]);
    expect(JSON.stringify(webhooks.warned)).not.toContain(secret);
    await webhooks.tell(VOICE_READY);
    webhooks.pass(DAY_MS);
    await webhooks.dispatcher.idle();
    expect(receiver.received.length).toBe(1);
  });

  it('is not made again where its owner wants no retries', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = [500];
    const webhooks = await openWebhooks();
    const { webhook } = await webhooks.create(receiver.url, { retryEnabled: false });
    await webhooks.tell(VOICE_READY);
    const delivery = await webhooks.delivery(webhook.webhookId, ({ state }) => state === 'failed');
    expect(delivery.attempts).toBe(1);
  });

  it('says so when the signing secret cannot be read', async () => {
    const receiver = await WebhookReceiver.start();
    const webhooks = await openWebhooks();
    const { webhook } = await webhooks.create(receiver.url);
    await webhooks.storage.webhooks.change(ACCOUNT, webhook.webhookId, { sealedHeaders: 'AAAA' });
    await webhooks.tell(VOICE_READY);
    const delivery = await webhooks.delivery(webhook.webhookId, ({ attempts }) => attempts === 1);
    expect(delivery.lastProblem).toMatch(/secret file is not the one/);
    expect(receiver.received).toEqual([]);
  });
});

describe('a webhook that keeps failing', () => {
  /** One event and one failure a day; returns the webhook after each. */
  async function failDaily(days: number) {
    const receiver = await WebhookReceiver.start();
    receiver.answers = [500];
    const webhooks = await openWebhooks();
    const { webhook } = await webhooks.create(receiver.url, { retryEnabled: false });
    const fail = async (atMs: number) => {
      webhooks.clock.nowMs += atMs;
      await webhooks.tell(VOICE_READY);
      await webhooks.dispatcher.idle();
      return webhooks.webhook(webhook.webhookId);
    };
    for (let day = 0; day < days; day++) await fail(DAY_MS);
    return { ...webhooks, receiver, webhookId: webhook.webhookId, fail };
  }

  it('is switched off after ten failures and seven days without a success', async () => {
    const { fail, warned, webhookId, receiver, tell, dispatcher } = await failDaily(9);
    expect(warned).toEqual([]);
    expect((await fail(DAY_MS)).isAutoDisabled).toBe(true);
    expect(warned).toMatchObject([{ webhookId, message: expect.stringMatching(/switched off/) }]);
    await tell(VOICE_READY);
    await dispatcher.idle();
    expect(receiver.received.length).toBe(10);
  });

  it('is not switched off by many failures within seven days', async () => {
    const { fail } = await failDaily(0);
    for (let failure = 1; failure < 20; failure++) {
      expect((await fail(1_000)).isAutoDisabled).toBe(false);
    }
    expect((await fail(7 * DAY_MS)).isAutoDisabled).toBe(true);
  });

  it('starts afresh with a success', async () => {
    const { fail, receiver } = await failDaily(9);
    receiver.answers = [200, 500];
    expect(await fail(DAY_MS)).toMatchObject({ consecutiveFailures: 0, isAutoDisabled: false });
    for (let day = 1; day < 10; day++) {
      expect((await fail(DAY_MS)).isAutoDisabled, `day ${day}`).toBe(false);
    }
    expect((await fail(DAY_MS)).isAutoDisabled).toBe(true);
  });

  it('starts afresh when its owner switches it on again', async () => {
    const { fail, registry, webhookId, storage } = await failDaily(10);
    await registry.edit(ACCOUNT, webhookId, { isDisabled: false });
    expect(await storage.webhooks.find(ACCOUNT, webhookId)).toMatchObject({
      isAutoDisabled: false,
      consecutiveFailures: 0,
    });
    for (let day = 1; day < 10; day++) {
      expect((await fail(DAY_MS)).isAutoDisabled, `day ${day}`).toBe(false);
    }
    expect((await fail(DAY_MS)).isAutoDisabled).toBe(true);
  });
});

describe('the dispatcher', () => {
  it('keeps what is pending while a webhook is disabled, and delivers it afterwards', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = [500, 200];
    const webhooks = await openWebhooks();
    const { webhook } = await webhooks.create(receiver.url);
    await webhooks.tell(VOICE_READY);
    await webhooks.delivery(webhook.webhookId, ({ attempts }) => attempts === 1);
    await webhooks.registry.edit(ACCOUNT, webhook.webhookId, { isDisabled: true });
    webhooks.pass(60_000);
    await webhooks.dispatcher.idle();
    expect(receiver.received.length).toBe(1);
    await webhooks.registry.edit(ACCOUNT, webhook.webhookId, { isDisabled: false });
    await webhooks.delivery(webhook.webhookId, ({ state }) => state === 'delivered');
  });

  it('delivers again on request, with the same id', async () => {
    const receiver = await WebhookReceiver.start();
    const webhooks = await openWebhooks();
    const { webhook } = await webhooks.create(receiver.url);
    await webhooks.tell(VOICE_READY);
    const { deliveryId, eventId } = await webhooks.delivery(
      webhook.webhookId,
      ({ state }) => state === 'delivered',
    );
    await webhooks.registry.redeliver(ACCOUNT, webhook.webhookId, deliveryId);
    const [, again] = await receiver.has(2);
    expect(again?.headers['webhook-id']).toBe(eventId);
  });

  it('lets a receiver that hangs hold up nobody else', async () => {
    const hanging = await WebhookReceiver.start();
    hanging.answers = ['hang'];
    const healthy = await WebhookReceiver.start();
    const webhooks = await openWebhooks({ timeoutMs: 60_000 });
    await webhooks.create(hanging.url);
    for (let count = 0; count < 20; count++) await webhooks.tell(VOICE_READY);
    await webhooks.create(healthy.url);
    for (let count = 0; count < 20; count++) await webhooks.tell(VOICE_READY);
    await healthy.has(20);
    expect(hanging.received.length).toBe(3);
  });

  it('lets receivers that keep hanging hold up nobody else, however many they are', async () => {
    const hanging = await WebhookReceiver.start();
    hanging.answers = ['hang'];
    const healthy = await WebhookReceiver.start();
    const webhooks = await openWebhooks({ timeoutMs: 60_000 });
    for (let count = 0; count < 20; count++) {
      const { webhook } = await webhooks.create(hanging.url);
      const failure = { atMs: webhooks.clock.nowMs, status: null };
      await webhooks.storage.webhooks.recordFailure(webhook.webhookId, failure);
    }
    await webhooks.create(healthy.url);
    for (let count = 0; count < 20; count++) await webhooks.tell(VOICE_READY);
    await healthy.has(20);
    expect(hanging.received.length).toBe(2);
  });

  it('makes few attempts at a time', async () => {
    const webhooks = await openWebhooks({ timeoutMs: 60_000 });
    const receiver = await WebhookReceiver.start();
    receiver.answers = ['hang'];
    for (let count = 0; count < 12; count++) await webhooks.create(receiver.url);
    await webhooks.tell(VOICE_READY);
    await receiver.has(6);
    webhooks.pass(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(receiver.received.length).toBe(6);
  });

  it('rests after attempts while the queue is long, however often it is woken', async () => {
    const receiver = await WebhookReceiver.start();
    let getUp = () => {};
    const night = new Promise<void>((resolve) => {
      getUp = resolve;
    });
    const webhooks = await openWebhooks({ rest: () => night });
    const { webhook } = await webhooks.create(receiver.url);
    for (let count = 0; count < 8; count++) await webhooks.tell(VOICE_READY);
    await webhooks.settled(webhook.webhookId, 3);
    webhooks.pass(1);
    // Time for what would be too much.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(receiver.received.length).toBe(3);
    getUp();
    await receiver.has(8);
  });

  it('does not wait for rested places when it closes', async () => {
    const receiver = await WebhookReceiver.start();
    const webhooks = await openWebhooks({ rest: () => new Promise(() => undefined) });
    const { webhook } = await webhooks.create(receiver.url);
    await webhooks.tell(VOICE_READY);
    await webhooks.settled(webhook.webhookId, 1);
    await webhooks.dispatcher.close();
    expect(receiver.received.length).toBe(1);
  });

  it('leaves what it cannot finish to the next process, as if it had not tried', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = ['hang', 200];
    const webhooks = await openWebhooks();
    const { webhook } = await webhooks.create(receiver.url);
    await webhooks.tell(VOICE_READY);
    await receiver.has(1);
    await webhooks.dispatcher.close();
    const [left] = await webhooks.storage.outbox.list(webhook.webhookId, {
      limit: 1,
      after: undefined,
    });
    expect(left).toMatchObject({ state: 'pending', attempts: 0, dueAtMs: webhooks.clock.nowMs });
    expect((await webhooks.webhook(webhook.webhookId)).consecutiveFailures).toBe(0);
    webhooks.pass(1);
    await webhooks.dispatcher.idle();
    expect(receiver.received.length).toBe(1);
  });

  it('finds by itself what nobody woke it for', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = [500, 200];
    const webhooks = await openWebhooks({ pollMs: 10 });
    webhooks.dispatcher.start();
    webhooks.dispatcher.start();
    const { webhook } = await webhooks.create(receiver.url);
    await webhooks.tell(VOICE_READY);
    await webhooks.delivery(webhook.webhookId, ({ attempts }) => attempts === 1);
    webhooks.clock.nowMs += 5_000;
    await webhooks.delivery(webhook.webhookId, ({ state }) => state === 'delivered');
  });

  it('goes on after storage failed it', async () => {
    const receiver = await WebhookReceiver.start();
    const webhooks = await openWebhooks();
    await webhooks.create(receiver.url);
    const { outbox } = webhooks.storage;
    const { claim } = outbox;
    outbox.claim = async () => {
      outbox.claim = claim;
      throw new Error('database is locked');
    };
    await webhooks.tell(VOICE_READY);
    await webhooks.dispatcher.idle();
    expect(webhooks.warned).toMatchObject([{ message: 'webhook outbox cannot be read' }]);
    webhooks.pass(1);
    await receiver.has(1);
  });

  it('forgets events after two weeks', async () => {
    const receiver = await WebhookReceiver.start();
    const webhooks = await openWebhooks();
    const { webhook } = await webhooks.create(receiver.url);
    const list = () =>
      webhooks.storage.outbox.list(webhook.webhookId, { limit: 9, after: undefined });
    await webhooks.tell(VOICE_READY);
    webhooks.pass(14 * DAY_MS);
    await webhooks.dispatcher.idle();
    expect((await list()).length).toBe(1);
    webhooks.pass(60_000);
    await webhooks.dispatcher.idle();
    expect(await list()).toEqual([]);
  });
});
