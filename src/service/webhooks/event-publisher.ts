import { randomUUID } from 'node:crypto';
import type { PublishEvent, ServiceEvent } from '../../domain/service-event.ts';
import type { Delivery, Webhook } from '../../domain/webhook.ts';
import type { OutboxStore } from '../storage/outbox-store.ts';
import type { WebhookStore } from '../storage/webhook-store.ts';

export interface PublishEventOptions {
  readonly webhooks: WebhookStore;
  readonly outbox: OutboxStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called when there is something new to deliver. */
  readonly onTold: () => void;
}

/** A way to tell events, which writes a delivery for each webhook that wants to know, all in one go. */
export function eventPublisher({
  webhooks,
  outbox,
  now,
  onTold,
}: PublishEventOptions): PublishEvent {
  return async (event) => {
    const listening = (await webhooks.list(event.accountId)).filter(
      ({ events, isDisabled, isAutoDisabled }) =>
        events.includes(event.type) && !isDisabled && !isAutoDisabled,
    );
    if (listening.length === 0) return;
    await outbox.add(deliveriesOf(event, listening, now()));
    onTold();
  };
}

function deliveriesOf(
  { type, accountId, data }: ServiceEvent,
  listening: readonly Webhook[],
  nowMs: number,
): Delivery[] {
  const eventId = `evt_${randomUUID()}`;
  const body = JSON.stringify({ type, event_timestamp: Math.floor(nowMs / 1000), data });
  return listening.map(({ webhookId }) => ({
    deliveryId: randomUUID(),
    eventId,
    webhookId,
    accountId,
    type,
    body,
    createdAtMs: nowMs,
    state: 'pending',
    attempts: 0,
    dueAtMs: nowMs,
    lastAttemptAtMs: null,
    lastStatus: null,
    lastProblem: null,
  }));
}
