import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Webhook } from '../../domain/webhook.ts';
import type { ClaimedDelivery, OutboxStore, Settlement } from '../storage/outbox-store.ts';
import type { WebhookHealth, WebhookStore } from '../storage/webhook-store.ts';
import { AttemptPlaces, LANES, type Lane, type Place } from './attempt-places.ts';
import { type AttemptResult, type AttemptTools, attemptDelivery } from './delivery-attempt.ts';
import { nextAttemptAtMs } from './retry-schedule.ts';

/**
 * How long a place stays empty after an attempt. An attempt costs the thread of the audio about four
 * milliseconds (TLS, and writes that wait for the disk): a long queue must not take more than a
 * fraction of it. An event that finds an empty place that has rested is delivered at once.
 */
const REST_MS = 100;
/** Longer than any attempt; a delivery whose process died is taken over after it. */
const LEASE_MS = 60_000;
/** How often work is looked for that nobody woke us for: retries, other processes' events. */
const DEFAULT_POLL_MS = 1_000;
/** How long a shutdown lets attempts finish; the rest is made again by the next process. */
const DEFAULT_CLOSE_GRACE_MS = 2_000;
/** All attempts take three days and a half; after them, deliveries stay for a while to be made again. */
const RETENTION_MS = 14 * 86_400_000;
const PRUNE_EVERY_MS = 60_000;
const PRUNE_LIMIT = 500;
/** Both must be so before a webhook is switched off for failing (PROTOCOL §3.9). */
const WORN_OUT_FAILURES = 10;
const WORN_OUT_MS = 7 * 86_400_000;

export interface DispatcherLog {
  warn(fields: object, message: string): void;
}

export interface DispatcherOptions extends AttemptTools {
  readonly webhooks: WebhookStore;
  readonly outbox: OutboxStore;
  readonly logger: DispatcherLog;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly pollMs?: number;
  /** Waits for as long as a place stays empty after an attempt. */
  readonly rest?: () => Promise<unknown>;
  readonly closeGraceMs?: number;
}

/**
 * Delivers what is in the outbox, at least once and in no particular order. Several processes may
 * each run one on the same storage.
 */
export class WebhookDispatcher {
  readonly #options: DispatcherOptions;
  readonly #closing = new AbortController();
  readonly #places = new AttemptPlaces();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #resting = new Set<Promise<void>>();
  #poll: NodeJS.Timeout | undefined;
  #claiming: Promise<void> | undefined;
  #wokenAgain = false;
  #closed = false;
  #prunedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** Starts to look for work, at once and then regularly. */
  start(): void {
    this.#poll ??= setInterval(() => this.wake(), this.#options.pollMs ?? DEFAULT_POLL_MS).unref();
    this.wake();
  }

  /** Says that there may be work now. */
  wake(): void {
    if (this.#closed) return;
    this.#wokenAgain = true;
    this.#claiming ??= this.#claimWhileWoken();
  }

  /** Lets running attempts finish for a moment; what does not is left to be delivered later. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#poll);
    const { closeGraceMs = DEFAULT_CLOSE_GRACE_MS } = this.#options;
    const grace = setTimeout(() => this.#closing.abort(new Error('closing')), closeGraceMs);
    while (this.#claiming || this.#inFlight.size > 0) {
      await (this.#claiming ?? Promise.race(this.#inFlight));
    }
    clearTimeout(grace);
  }

  /** Waits until everything that is due now has been attempted, and all places have rested. */
  async idle(): Promise<void> {
    while (this.#claiming || this.#inFlight.size > 0 || this.#resting.size > 0) {
      await (this.#claiming ?? Promise.race([...this.#inFlight, ...this.#resting]));
    }
  }

  async #claimWhileWoken(): Promise<void> {
    while (this.#wokenAgain && !this.#closed) {
      this.#wokenAgain = false;
      try {
        await this.#prune();
        for (const lane of LANES) await this.#claimDue(lane);
      } catch (thrown) {
        this.#options.logger.warn({ err: thrown }, 'webhook outbox cannot be read');
      }
    }
    // In the same turn as the last look at the flag, or a call for work could fall in between.
    this.#claiming = undefined;
  }

  async #claimDue(lane: Lane): Promise<void> {
    const limit = this.#places.free(lane);
    if (limit === 0) return;
    const nowMs = this.#options.now();
    const claimed = await this.#options.outbox.claim({
      nowMs,
      leaseUntilMs: nowMs + LEASE_MS,
      leaseId: randomUUID(),
      limit,
      failing: lane.failing,
      exceptWebhookIds: this.#places.fullWebhookIds(lane),
    });
    for (const delivery of claimed) this.#start(delivery, lane);
    // A claim takes one delivery of each webhook: there may be more.
    if (claimed.length > 0) this.#wokenAgain = true;
  }

  #start(delivery: ClaimedDelivery, lane: Lane): void {
    const { webhookId } = delivery;
    const place = this.#places.take(lane, webhookId);
    const attempt = this.#deliver(delivery)
      .catch((thrown) =>
        this.#options.logger.warn({ err: thrown, webhookId }, 'webhook attempt lost'),
      )
      .finally(() => {
        this.#inFlight.delete(attempt);
        this.#rest(place);
      });
    this.#inFlight.add(attempt);
  }

  /** The place counts as taken until it has rested, even if something wakes us meanwhile. */
  #rest(place: Place): void {
    const { rest = () => sleep(REST_MS, undefined, { ref: false }) } = this.#options;
    const rested = rest().then(() => {
      this.#resting.delete(rested);
      this.#places.leave(place);
      this.wake();
    });
    this.#resting.add(rested);
  }

  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    const { webhooks, outbox, now } = this.#options;
    const webhook = await webhooks.find(delivery.accountId, delivery.webhookId);
    // Removed since it was claimed, and the delivery with it.
    if (!webhook) return;
    const result = await this.#attempt(webhook, delivery);
    if (!result) {
      await outbox.settle(delivery, { ...delivery, dueAtMs: now() });
    } else if (result.problem === null) {
      await outbox.settle(delivery, this.#settlement(webhook, delivery, result));
      await webhooks.recordSuccess(webhook.webhookId, now());
    } else {
      await outbox.settle(delivery, this.#settlement(webhook, delivery, result));
      await this.#noteFailure(webhook, result);
    }
  }

  /** @returns undefined when the attempt was broken off because we close. */
  async #attempt(webhook: Webhook, delivery: ClaimedDelivery): Promise<AttemptResult | undefined> {
    const { signal } = this.#closing;
    try {
      const nowMs = this.#options.now();
      return await attemptDelivery(this.#options, { webhook, delivery }, nowMs, signal);
    } catch (thrown) {
      if (signal.aborted) return undefined;
      throw thrown;
    }
  }

  #settlement(
    { retryEnabled }: Webhook,
    delivery: ClaimedDelivery,
    { status, problem, gone, retryAfter }: AttemptResult,
  ): Settlement {
    const atMs = this.#options.now();
    const attempts = delivery.attempts + 1;
    const nextAtMs =
      problem !== null && retryEnabled && !gone
        ? nextAttemptAtMs({ attempts, atMs, retryAfter }, this.#options.random)
        : undefined;
    const settled = problem === null ? 'delivered' : 'failed';
    return {
      state: nextAtMs === undefined ? settled : 'pending',
      attempts,
      dueAtMs: nextAtMs ?? atMs,
      lastAttemptAtMs: atMs,
      lastStatus: status,
      lastProblem: problem,
    };
  }

  async #noteFailure(
    { webhookId }: Webhook,
    { status, problem, gone }: AttemptResult,
  ): Promise<void> {
    const { webhooks, logger, now } = this.#options;
    const atMs = now();
    const health = await webhooks.recordFailure(webhookId, { atMs, status });
    const disable = gone || (health !== undefined && isWornOut(health, atMs));
    if (!disable || !(await webhooks.autoDisable(webhookId))) return;
    logger.warn({ webhookId, problem }, 'webhook switched off because its receiver keeps failing');
  }

  async #prune(): Promise<void> {
    const nowMs = this.#options.now();
    if (nowMs < this.#prunedAtMs + PRUNE_EVERY_MS) return;
    this.#prunedAtMs = nowMs;
    await this.#options.outbox.prune(nowMs - RETENTION_MS, PRUNE_LIMIT);
  }
}

/** A webhook that never worked counts from when it was last switched on. */
function isWornOut(health: WebhookHealth, nowMs: number): boolean {
  const lastGoodMs = Math.max(health.lastSuccessAtMs ?? 0, health.enabledAtMs);
  return health.consecutiveFailures >= WORN_OUT_FAILURES && nowMs - lastGoodMs >= WORN_OUT_MS;
}
