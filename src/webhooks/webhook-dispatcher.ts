import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Webhook } from '../domain/webhook.ts';
import type { ClaimedDelivery, OutboxStore, Settlement } from '../storage/outbox-store.ts';
import type { WebhookHealth, WebhookStore } from '../storage/webhook-store.ts';
import { type AttemptResult, type AttemptTools, attemptDelivery } from './delivery-attempt.ts';
import { nextAttemptAtMs } from './retry-schedule.ts';

/**
 * Attempts at a time: few, to be gentle with receivers and with the thread of the audio. Webhooks whose last attempt failed have places of their own, so that receivers that hang
 * hold up nobody else, and one webhook never has all the places.
 */
const LANES = [
  { failing: false, places: 6, placesEach: 3 },
  { failing: true, places: 2, placesEach: 1 },
] as const;
type Lane = (typeof LANES)[number];
/**
 * How long a place stays empty after an attempt. An attempt costs the thread of the audio about four
 * milliseconds (TLS, and writes that wait for the disk): a long queue must not take more than a
 * fraction of it. An event that finds a free place is delivered at once.
 */
const DEFAULT_REST_MS = 100;
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
  readonly restMs?: number;
  readonly closeGraceMs?: number;
}

/**
 * Delivers what is in the outbox, at least once and in no particular order. Several processes may
 * each run one on the same storage.
 */
export class WebhookDispatcher {
  readonly #options: DispatcherOptions;
  readonly #closing = new AbortController();
  readonly #inFlight = new Map<
    Promise<void>,
    { readonly lane: Lane; readonly webhookId: string }
  >();
  #poll: NodeJS.Timeout | undefined;
  #claiming: Promise<void> | undefined;
  #resting: Promise<void> | undefined;
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
    await this.#finish();
    clearTimeout(grace);
  }

  /** Waits until everything that is due now has been attempted. */
  async idle(): Promise<void> {
    await this.#finish();
    while (this.#resting) {
      await this.#resting;
      await this.#finish();
    }
  }

  async #finish(): Promise<void> {
    while (this.#claiming || this.#inFlight.size > 0) {
      await (this.#claiming ?? Promise.race(this.#inFlight.keys()));
    }
  }

  async #claimWhileWoken(): Promise<void> {
    while (this.#wokenAgain && !this.#closed) {
      this.#wokenAgain = false;
      try {
        await this.#prune();
        for (const lane of LANES) {
          await this.#claimDue(lane);
          // Embedded storage answers without leaving the thread: others get their turn in between.
          await nextTurn();
        }
      } catch (thrown) {
        this.#options.logger.warn({ err: thrown }, 'webhook outbox cannot be read');
      }
    }
    // In the same turn as the last look at the flag, or a call for work could fall in between.
    this.#claiming = undefined;
  }

  async #claimDue(lane: Lane): Promise<void> {
    const running = [...this.#inFlight.values()].filter((attempt) => attempt.lane === lane);
    const limit = lane.places - running.length;
    if (limit <= 0) return;
    const nowMs = this.#options.now();
    const claimed = await this.#options.outbox.claim({
      nowMs,
      leaseUntilMs: nowMs + LEASE_MS,
      leaseId: randomUUID(),
      limit,
      failing: lane.failing,
      exceptWebhookIds: idsThatCome(
        lane.placesEach,
        running.map(({ webhookId }) => webhookId),
      ),
    });
    for (const delivery of claimed) this.#track(this.#deliver(delivery), lane, delivery.webhookId);
    // A claim takes one delivery of each webhook: there may be more.
    if (claimed.length > 0) this.#wokenAgain = true;
  }

  #track(delivering: Promise<void>, lane: Lane, webhookId: string): void {
    const { logger } = this.#options;
    const tracked = delivering
      .catch((thrown) => logger.warn({ err: thrown, webhookId }, 'webhook attempt lost'))
      .finally(() => {
        this.#inFlight.delete(tracked);
        this.#resting ??= this.#wakeAfterRest();
      });
    this.#inFlight.set(tracked, { lane, webhookId });
  }

  async #wakeAfterRest(): Promise<void> {
    await sleep(this.#options.restMs ?? DEFAULT_REST_MS, undefined, { ref: false });
    this.#resting = undefined;
    this.wake();
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

/** Those of the ids that are in the list at least so often. */
function idsThatCome(times: number, ids: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= times).map(([id]) => id);
}
