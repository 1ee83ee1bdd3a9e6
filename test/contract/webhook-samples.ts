import { randomUUID } from 'node:crypto';
import type { Delivery, Webhook } from '../../src/domain/webhook.ts';

export const SAMPLE_TIME_MS = 1_763_700_000_000;

export function webhook(given: Partial<Webhook> = {}): Webhook {
  return {
    webhookId: randomUUID(),
    accountId: 'default',
    name: 'A "quoted"; DROP TABLE webhook; — хук 🔔',
    url: 'https://example.com/hook?token=1',
    sealedSecret: 'c2VhbGVk',
    sealedHeaders: 'aGVhZGVycw==',
    events: ['speech.generated', 'call.ended'],
    isDisabled: false,
    isAutoDisabled: false,
    retryEnabled: true,
    createdAtMs: 1_763_700_000_123,
    enabledAtMs: 1_763_700_000_124,
    consecutiveFailures: 0,
    lastSuccessAtMs: null,
    lastFailureAtMs: null,
    lastFailureStatus: null,
    ...given,
  };
}

export function delivery(given: Partial<Delivery> = {}): Delivery {
  return {
    deliveryId: randomUUID(),
    eventId: `evt_${randomUUID()}`,
    webhookId: 'hook',
    accountId: 'default',
    type: 'voice.ready',
    body: '{"type":"voice.ready","data":{"name":"Zoë 🔊"}}',
    createdAtMs: SAMPLE_TIME_MS,
    state: 'pending',
    attempts: 0,
    dueAtMs: SAMPLE_TIME_MS,
    lastAttemptAtMs: null,
    lastStatus: null,
    lastProblem: null,
    ...given,
  };
}
