import { randomUUID } from 'node:crypto';
import { SpeechError } from '../../domain/errors.ts';
import type { ServiceEventType } from '../../domain/service-event.ts';
import type { Delivery, Webhook, WebhookChange } from '../../domain/webhook.ts';
import type { DeliveryPosition, OutboxStore } from '../storage/outbox-store.ts';
import type { WebhookStore } from '../storage/webhook-store.ts';
import { DestinationError, type DestinationGuard } from './destination-guard.ts';
import { requestHeadersProblem } from './request-headers.ts';
import type { SecretBox } from './secret-box.ts';
import { generateSigningSecret } from './signatures.ts';

/** Every event is written once for each of them. */
const MAX_WEBHOOKS = 50;

export interface NewWebhook {
  readonly name: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly events: readonly ServiceEventType[];
  readonly retryEnabled: boolean;
}

/** What an owner may ask to change; what is left out stays as it is. */
export type WebhookEdit = Partial<
  Pick<NewWebhook, 'name' | 'requestHeaders' | 'events' | 'retryEnabled'> & { isDisabled: boolean }
>;

export interface WebhookRegistryOptions {
  readonly webhooks: WebhookStore;
  readonly outbox: OutboxStore;
  readonly secretBox: SecretBox;
  readonly guard: DestinationGuard;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called when something has become due. */
  readonly onDue: () => void;
}

/** The webhooks of every account, as their owners keep them. */
export class WebhookRegistry {
  readonly #options: WebhookRegistryOptions;

  constructor(options: WebhookRegistryOptions) {
    this.#options = options;
  }

  /**
   * @returns the webhook with its signing secret, which is never told again.
   * @throws SpeechError `invalid_parameters`, `account_limit_reached`.
   */
  async create(
    accountId: string,
    { name, url, requestHeaders, events, retryEnabled }: NewWebhook,
  ): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
    const { webhooks, secretBox, now } = this.#options;
    this.#checkUrl(url);
    const webhookId = randomUUID();
    const secret = generateSigningSecret();
    const nowMs = now();
    const webhook: Webhook = {
      webhookId,
      accountId,
      name,
      url,
      sealedSecret: secretBox.seal(secret, webhookId),
      sealedHeaders: this.#sealHeaders(requestHeaders, webhookId),
      events,
      isDisabled: false,
      isAutoDisabled: false,
      retryEnabled,
      createdAtMs: nowMs,
      enabledAtMs: nowMs,
      consecutiveFailures: 0,
      lastSuccessAtMs: null,
      lastFailureAtMs: null,
      lastFailureStatus: null,
    };
    if (await webhooks.add(webhook, MAX_WEBHOOKS)) return { webhook, secret };
    throw new SpeechError(
      'account_limit_reached',
      `There are ${MAX_WEBHOOKS} webhooks already, and no more can be made. Delete one first.`,
    );
  }

  /** Oldest first. */
  list(accountId: string): Promise<readonly Webhook[]> {
    return this.#options.webhooks.list(accountId);
  }

  /**
   * Switching a webhook on again forgives its failures, and what was still to be delivered goes out.
   * @throws SpeechError `not_found`, `invalid_parameters`.
   */
  async edit(accountId: string, webhookId: string, edit: WebhookEdit): Promise<void> {
    const { webhooks, now, onDue } = this.#options;
    const webhook = await this.#find(accountId, webhookId);
    const { requestHeaders, ...kept } = edit;
    const isRevived = edit.isDisabled === false && (webhook.isDisabled || webhook.isAutoDisabled);
    const change: WebhookChange = {
      ...kept,
      ...(requestHeaders && { sealedHeaders: this.#sealHeaders(requestHeaders, webhookId) }),
      ...(isRevived && { isAutoDisabled: false, consecutiveFailures: 0, enabledAtMs: now() }),
    };
    if (!(await webhooks.change(accountId, webhookId, change))) throw noWebhook(webhookId);
    if (isRevived) onDue();
  }

  /** @throws SpeechError `not_found`. */
  async remove(accountId: string, webhookId: string): Promise<void> {
    if (!(await this.#options.webhooks.remove(accountId, webhookId))) throw noWebhook(webhookId);
  }

  /**
   * What was and will be delivered, newest first.
   * @throws SpeechError `not_found`.
   */
  async deliveries(
    accountId: string,
    webhookId: string,
    page: { readonly limit: number; readonly after: DeliveryPosition | undefined },
  ): Promise<readonly Delivery[]> {
    await this.#find(accountId, webhookId);
    return this.#options.outbox.list(webhookId, page);
  }

  /**
   * Delivers once more, whatever came of it before, with the same event id.
   * @throws SpeechError `not_found`, `webhook_disabled`.
   */
  async redeliver(accountId: string, webhookId: string, deliveryId: string): Promise<void> {
    const { outbox, now, onDue } = this.#options;
    const { isDisabled, isAutoDisabled } = await this.#find(accountId, webhookId);
    if (isDisabled || isAutoDisabled) {
      throw new SpeechError(
        'webhook_disabled',
        'The webhook is disabled. Enable it with is_disabled: false, then deliver again.',
        { param: 'webhook_id' },
      );
    }
    if (!(await outbox.redeliver(webhookId, deliveryId, now()))) {
      throw new SpeechError(
        'not_found',
        `The webhook has no delivery with the id "${deliveryId}".`,
        {
          param: 'delivery_id',
        },
      );
    }
    onDue();
  }

  async #find(accountId: string, webhookId: string): Promise<Webhook> {
    const webhook = await this.#options.webhooks.find(accountId, webhookId);
    if (!webhook) throw noWebhook(webhookId);
    return webhook;
  }

  #checkUrl(url: string): void {
    try {
      this.#options.guard.checkUrl(url);
    } catch (thrown) {
      if (!(thrown instanceof DestinationError)) throw thrown;
      throw new SpeechError('invalid_parameters', thrown.message, {
        param: 'webhook_url',
        cause: thrown,
      });
    }
  }

  #sealHeaders(headers: Readonly<Record<string, string>>, webhookId: string): string {
    const problem = requestHeadersProblem(headers);
    if (problem !== undefined) {
      throw new SpeechError('invalid_parameters', problem, { param: 'request_headers' });
    }
    const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    return this.#options.secretBox.seal(JSON.stringify(Object.fromEntries(lowerCase)), webhookId);
  }
}

function noWebhook(webhookId: string): SpeechError {
  return new SpeechError('not_found', `There is no webhook with the id "${webhookId}".`, {
    param: 'webhook_id',
  });
}
