import type { Delivery } from '../../domain/webhook.ts';

/** A delivery that this process alone may attempt until the lease runs out. */
export interface ClaimedDelivery extends Delivery {
  readonly leaseId: string;
}

export interface Claim {
  readonly nowMs: number;
  /** When others may take the delivery over, because its claimant must have died. */
  readonly leaseUntilMs: number;
  /** Names this claim; unique. */
  readonly leaseId: string;
  readonly limit: number;
  /** Whether to look at the webhooks whose last attempt failed, or at all the others. */
  readonly failing: boolean;
  /** Webhooks that shall get nothing more for now. */
  readonly exceptWebhookIds: readonly string[];
}

/** What an attempt left a delivery in. */
export type Settlement = Pick<
  Delivery,
  'state' | 'attempts' | 'dueAtMs' | 'lastAttemptAtMs' | 'lastStatus' | 'lastProblem'
>;

/** The place of a delivery in the list of its webhook. */
export type DeliveryPosition = Pick<Delivery, 'createdAtMs' | 'deliveryId'>;

/**
 * Deliveries to come and those of the past days. Several processes may work on it: each delivery is
 * claimed by one of them at a time, and given up by a process that died when its lease runs out.
 */
export interface OutboxStore {
  /** All or none; they outlive the process once the promise is kept. */
  add(deliveries: readonly Delivery[]): Promise<void>;
  /**
   * Takes due deliveries of enabled webhooks, at most one of each webhook, so that a long queue of
   * one does not hold up the others. The longest due come first.
   */
  claim(claim: Claim): Promise<readonly ClaimedDelivery[]>;
  /** @returns false, and changes nothing, when the lease was lost. */
  settle(claimed: ClaimedDelivery, settlement: Settlement): Promise<boolean>;
  /**
   * Makes a delivery due at once, with all its attempts before it, whatever became of it.
   * @returns whether the webhook has such a delivery.
   */
  redeliver(webhookId: string, deliveryId: string, nowMs: number): Promise<boolean>;
  /** Newest first; `after` continues behind the last one of an earlier list. */
  list(
    webhookId: string,
    page: { readonly limit: number; readonly after: DeliveryPosition | undefined },
  ): Promise<readonly Delivery[]>;
  /** Forgets deliveries of events that happened before a time, at most `limit`. */
  prune(createdBeforeMs: number, limit: number): Promise<void>;
}
