import { onTestFinished } from 'vitest';
import type { ServiceEvent } from '../../../../src/domain/service-event.ts';
import type { Delivery, Webhook } from '../../../../src/domain/webhook.ts';
import { DestinationGuard } from '../../../../src/service/webhooks/destination-guard.ts';
import { eventPublisher } from '../../../../src/service/webhooks/event-publisher.ts';
import { resolveHost } from '../../../../src/service/webhooks/guarded-post.ts';
import { openSecretBox } from '../../../../src/service/webhooks/secret-box.ts';
import {
  type DispatcherOptions,
  WebhookDispatcher,
} from '../../../../src/service/webhooks/webhook-dispatcher.ts';
import {
  type NewWebhook,
  WebhookRegistry,
} from '../../../../src/service/webhooks/webhook-registry.ts';
import { openStorageHere } from '../../../support/storage-here.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

export const ACCOUNT = 'default';
export const VOICE_READY: ServiceEvent = {
  type: 'voice.ready',
  accountId: ACCOUNT,
  data: { voice_id: 'v1', name: 'Zoë' },
};
const START_MS = 1_763_700_000_500;

/** Everything that delivers webhooks, on real storage, with a clock that only tests move. */
export async function openWebhooks(given: Partial<DispatcherOptions> = {}) {
  const dataDir = temporaryDir();
  const storage = await openStorageHere({ dataDir });
  const secretBox = await openSecretBox(dataDir);
  const guard = given.guard ?? new DestinationGuard({ allow: ['127.0.0.0/8'], allowHttp: true });
  const clock = { nowMs: START_MS };
  const now = () => clock.nowMs;
  const warned: object[] = [];
  const { webhooks, outbox } = storage;
  const dispatcher = new WebhookDispatcher({
    webhooks,
    outbox,
    secretBox,
    guard,
    resolve: resolveHost,
    timeoutMs: 15_000,
    logger: { warn: (fields, message) => warned.push({ ...fields, message }) },
    now,
    random: () => 0,
    closeGraceMs: 50,
    rest: () => Promise.resolve(),
    ...given,
  });
  const wake = () => dispatcher.wake();
  const registry = new WebhookRegistry({ webhooks, outbox, secretBox, guard, now, onDue: wake });
  const tell = eventPublisher({ webhooks, outbox, now, onTold: wake });
  onTestFinished(async () => {
    await dispatcher.close();
    await storage.close();
  });
  return {
    dataDir,
    storage,
    dispatcher,
    registry,
    tell,
    clock,
    warned,
    /** Lets time pass and looks for work, as the dispatcher's own poll would. */
    pass: (ms: number) => {
      clock.nowMs += ms;
      dispatcher.wake();
    },
    create: (url: string, rest: Partial<NewWebhook> = {}) =>
      registry.create(ACCOUNT, {
        name: 'hook',
        url,
        requestHeaders: {},
        events: ['voice.ready'],
        retryEnabled: true,
        ...rest,
      }),
    webhook: async (webhookId: string) => (await webhooks.find(ACCOUNT, webhookId)) as Webhook,
    /** Waits until so many deliveries have been made. */
    settled: async (webhookId: string, count: number) => {
      while (true) {
        const all = await outbox.list(webhookId, { limit: 100, after: undefined });
        if (all.filter(({ state }) => state === 'delivered').length >= count) return;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    /** The newest delivery, once it is as the test expects. */
    delivery: async (webhookId: string, expected: (delivery: Delivery) => boolean) => {
      while (true) {
        const [newest] = await outbox.list(webhookId, { limit: 1, after: undefined });
        if (newest && expected(newest)) return newest;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
}
