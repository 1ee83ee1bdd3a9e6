import type { Webhook, WebhookChange } from '../../domain/webhook.ts';

/** The part of a webhook that says how well it works. */
export type WebhookHealth = Pick<
  Webhook,
  'consecutiveFailures' | 'lastSuccessAtMs' | 'enabledAtMs'
>;

/** Webhooks and how they fare. Changes are seen by every process at once. */
export interface WebhookStore {
  /**
   * @param maximum webhooks that the account may have; the count and the webhook are one step.
   * @returns false when it has as many already, and nothing was added.
   * @throws StorageError when the id is there already.
   */
  add(webhook: Webhook, maximum: number): Promise<boolean>;
  /** Oldest first. */
  list(accountId: string): Promise<readonly Webhook[]>;
  find(accountId: string, webhookId: string): Promise<Webhook | undefined>;
  /** @returns whether the account has such a webhook. */
  change(accountId: string, webhookId: string, change: WebhookChange): Promise<boolean>;
  /**
   * Removes a webhook with everything that was still to be delivered to it.
   * @returns whether the account had such a webhook.
   */
  remove(accountId: string, webhookId: string): Promise<boolean>;
  /** Ends a row of failures. Writes nothing when there is little to tell. */
  recordSuccess(webhookId: string, atMs: number): Promise<void>;
  /** @returns the webhook's health afterwards; undefined when it is gone. */
  recordFailure(
    webhookId: string,
    failure: { readonly atMs: number; readonly status: number | null },
  ): Promise<WebhookHealth | undefined>;
  /** @returns whether it was enabled until now, so that of several processes one reports it. */
  autoDisable(webhookId: string): Promise<boolean>;
}
