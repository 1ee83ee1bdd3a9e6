import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js';
import { WebhooksClient } from '@elevenlabs/elevenlabs-js/wrapper/webhooks.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DestinationGuard } from '../../src/service/webhooks/destination-guard.ts';
import { LOCALHOST_CERTIFICATE, WebhookReceiver } from '../support/webhook-receiver.ts';
import { CONFIGURED_SECRET } from '../unit/api/resources/api-harness.ts';
import { openWebhooksApi } from '../unit/api/resources/webhooks-harness.ts';
import { openWebhooks, VOICE_READY } from '../unit/service/webhooks/dispatch-harness.ts';

const WORKER = fileURLToPath(new URL('webhook-worker.mjs', import.meta.url));

/** A process that delivers what is in a data folder, and tells events of a range of numbers. */
class Worker {
  printed = '';
  readonly #child: ChildProcess;

  constructor(dataDir: string, firstEvent = 0, lastEvent = 0) {
    const range = [String(firstEvent), String(lastEvent)];
    this.#child = spawn(process.execPath, [WORKER, dataDir, ...range], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: LOCALHOST_CERTIFICATE },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child.stdout?.on('data', (text) => {
      this.printed += text;
    });
    onTestFinished(() => this.kill());
  }

  async says(text: string): Promise<void> {
    while (!this.printed.includes(text)) {
      if (this.#child.exitCode !== null) throw new Error(`The worker exited:\n${this.printed}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}

/** The ids under which each event came, by its number. */
function arrivals({ received }: WebhookReceiver): Map<number, string[]> {
  const ids = new Map<number, string[]>();
  for (const { body, headers } of received) {
    const number = Number(JSON.parse(body).data.voice_id);
    ids.set(number, [...(ids.get(number) ?? []), String(headers['webhook-id'])]);
  }
  return ids;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('the outbox', () => {
  it('delivers every event that was told, wherever the process is killed', async () => {
    const receiver = await WebhookReceiver.start();
    const webhooks = await openWebhooks();
    webhooks.clock.nowMs = Date.now();
    await webhooks.create(receiver.url);
    const told: number[] = [];
    for (const [first, last] of [
      [0, 0],
      [1_000, 1_009],
      [2_000, 2_040],
    ] as const) {
      // Some deliveries are always in flight when it dies.
      receiver.answers = ['hang', 'hang', 200];
      const before = receiver.received.length;
      const worker = new Worker(webhooks.dataDir, first, last + 50);
      await worker.says(`told ${last}\n`);
      await receiver.has(before + 1);
      await worker.kill();
      told.push(...[...worker.printed.matchAll(/told (\d+)\n/g)].map(([, text]) => Number(text)));
    }
    expect(told.length).toBeGreaterThanOrEqual(1 + 10 + 41);
    receiver.answers = [200];
    // By now all leases of the dead have run out.
    webhooks.clock.nowMs = Date.now() + 120_000;
    webhooks.dispatcher.wake();
    await webhooks.dispatcher.idle();
    const came = arrivals(receiver);
    expect(told.filter((number) => !came.has(number))).toEqual([]);
    for (const [number, ids] of came) expect(new Set(ids).size, `event ${number}`).toBe(1);
  }, 120_000);

  it('is emptied by several processes together, each event once', async () => {
    const receiver = await WebhookReceiver.start();
    const webhooks = await openWebhooks();
    webhooks.clock.nowMs = Date.now();
    for (let count = 0; count < 5; count++) await webhooks.create(receiver.url);
    const workers = Array.from({ length: 3 }, (_, index) => {
      return new Worker(webhooks.dataDir, index * 100, index * 100 + 20);
    });
    await Promise.all(workers.map((worker) => worker.says('ready\n')));
    await until(() => receiver.received.length >= 5 * 3 * 20);
    // Time for what would be too much.
    await new Promise((resolve) => setTimeout(resolve, 200));
    const came = arrivals(receiver);
    expect(came.size).toBe(60);
    for (const [number, ids] of came) expect(ids.length, `event ${number}`).toBe(5);
  });
});

describe('a webhook over TLS', () => {
  it('is delivered to a receiver whose certificate is trusted', async () => {
    const receiver = await WebhookReceiver.start(true);
    const webhooks = await openWebhooks({
      guard: new DestinationGuard({ allow: ['localhost'], allowHttp: false }),
    });
    webhooks.clock.nowMs = Date.now();
    const { secret } = await webhooks.create(`https://localhost:${receiver.port}/hook`);
    new Worker(webhooks.dataDir, 0, 1);
    const [received] = await receiver.has(1);
    const signature = String(received?.headers['elevenlabs-signature']);
    const event = await new WebhooksClient({}).constructEvent(
      received?.body ?? '',
      signature,
      secret,
    );
    expect(event).toMatchObject({ type: 'voice.ready', data: { voice_id: '0' } });
  });
});

describe('the official SDK', () => {
  it('makes, lists, changes and removes webhooks, and believes what they receive', async () => {
    const receiver = await WebhookReceiver.start();
    const { app, tell, clock } = await openWebhooksApi();
    clock.nowMs = Date.now();
    const baseUrl = await app.listen({ port: 0 });
    const client = new ElevenLabsClient({ apiKey: CONFIGURED_SECRET, baseUrl });
    const { webhookId, webhookSecret } = await client.webhooks.create({
      settings: {
        authType: 'hmac',
        name: 'SDK',
        webhookUrl: receiver.url,
        requestHeaders: { 'x-tenant': 'seven' },
      },
    });
    expect((await client.webhooks.list({ includeUsages: true })).webhooks).toMatchObject([
      { webhookId, name: 'SDK', webhookUrl: receiver.url, authType: 'hmac', isDisabled: false },
    ]);
    await tell(VOICE_READY);
    const [received] = await receiver.has(1);
    expect(received?.headers['x-tenant']).toBe('seven');
    const signature = String(received?.headers['elevenlabs-signature']);
    const event = await client.webhooks.constructEvent(
      received?.body ?? '',
      signature,
      webhookSecret ?? '',
    );
    expect(event).toMatchObject({ type: 'voice.ready', data: VOICE_READY.data });
    const updated = await client.webhooks.update(webhookId, {
      isDisabled: true,
      name: 'Changed',
      retryEnabled: false,
      requestHeaders: {},
    });
    expect(updated.status).toBe('ok');
    expect((await client.webhooks.list()).webhooks).toMatchObject([
      { name: 'Changed', isDisabled: true },
    ]);
    expect((await client.webhooks.delete(webhookId)).status).toBe('ok');
    expect((await client.webhooks.list()).webhooks).toEqual([]);
  });
});
