import { randomUUID } from 'node:crypto';
import type { AccountRecord, Caller, SpendingBounds } from '../../domain/account.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { PublishEvent } from '../../domain/service-event.ts';
import type { UsageLabels } from '../../domain/usage.ts';
import type { Hold, HoldResult, UsageStore, UsageSubject } from '../storage/usage-store.ts';
import { type BillingPeriod, billingPeriod } from './billing-period.ts';
import { isDeadOwner, leaveOwner, newOwnerId } from './hold-owner.ts';
import { Reservation } from './reservation.ts';
import { settledWithin } from './settled-within.ts';
import type { StorageHealth } from './storage-health.ts';
import { startOfHour, usageKeptFrom } from './usage-over-time.ts';
import { type PlacedHold, UsageRecorder } from './usage-recorder.ts';

/** A process that has not said for this long that it lives is dead, and its holds expire. */
const LEASE_MS = 60_000;
/** Three chances to renew the lease; also how much of the ledger a power cut may take. */
const RENEWAL_MS = LEASE_MS / 3;
/** What a look at the ledger may take while it cannot be written. */
const READ_PATIENCE_MS = 100;

export interface QuotaOptions {
  readonly usage: UsageStore;
  /** Hears, once a month and limit, that nothing is left. */
  readonly tell: PublishEvent;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Of the database that the ledger is in. */
  readonly health: StorageHealth;
}

/** What an account has used of its month. */
export interface Standing {
  readonly account: AccountRecord;
  /** Charged or on hold. */
  readonly usedCharacters: number;
  readonly period: BillingPeriod;
}

type Payer = Pick<Caller, 'accountId' | 'keyId' | 'bounds'>;

/**
 * The characters that accounts may have spoken: one pool an account, for all doors. A request first
 * reserves what it may cost, then settles for what was spoken, or is refunded; each once, whatever
 * crashes in between. A process that dies leaves holds, which any other charges for what had been
 * delivered, and gives the rest back: nobody pays for silence, nobody hears for nothing.
 *
 * While the ledger cannot be written, requests are let in for a grace of ten minutes by what it is
 * known to say, and charged when it can be written again.
 */
export class Quota implements AsyncDisposable {
  readonly #options: QuotaOptions;
  /** Names this process in the ledger. */
  readonly #ownerId = newOwnerId();
  readonly #recorder: UsageRecorder;
  readonly #renewal: NodeJS.Timeout;
  #live = 0;
  #renewing: Promise<void> = Promise.resolve();
  /** The hour in which usage over time was last made smaller. */
  #condensedInMs = 0;

  constructor(options: QuotaOptions) {
    this.#options = options;
    this.#recorder = new UsageRecorder(options.usage, options.health);
    this.#renewal = setInterval(() => {
      this.#renewing = this.#renew();
    }, RENEWAL_MS).unref();
  }

  /** Ends what earlier processes left, without waiting for it. */
  start(): void {
    this.#renewing = this.#renew();
  }

  /**
   * Sets characters aside, for the caller's account and key alike.
   * @param labels what speaks them.
   * @throws SpeechError `quota_exceeded` that tells which of the two has too few left, and until when;
   *   `storage_unavailable` when the ledger could not be written for longer than the grace.
   */
  async reserve(payer: Payer, characters: number, labels: UsageLabels): Promise<Reservation> {
    const { now } = this.#options;
    const { accountId, keyId } = payer;
    const bounds = payer.bounds ?? (await this.#bounds(accountId, keyId));
    const nowMs = now();
    const period = billingPeriod(bounds.account.createdAtMs, nowMs);
    const hold = {
      holdId: randomUUID(),
      accountId,
      keyId,
      periodStartMs: period.startMs,
      hourStartMs: startOfHour(nowMs),
      modelId: labels.modelId,
      voiceId: labels.voiceId,
      characters,
      ownerId: this.#ownerId,
      expiresAtMs: nowMs + LEASE_MS,
    };
    const placed = await this.#recorder.place(hold, {
      account: bounds.account.characterLimit,
      key: bounds.keyLimit,
    });
    if (placed.result === 'held') return this.#open(placed);
    if (placed.result !== undefined) {
      throw await this.#refuse(placed.result, bounds, keyId, period, characters);
    }
    const reservation = this.#open(placed);
    const refusal = await this.#refuseOnTrust(hold, bounds, period);
    if (!refusal) return reservation;
    await reservation.refund();
    throw refusal;
  }

  /** @throws SpeechError `not_found` when there is no such account. */
  async standing(accountId: string): Promise<Standing> {
    const { account } = await this.#bounds(accountId, '');
    const period = billingPeriod(account.createdAtMs, this.#options.now());
    const subject = { accountId, keyId: undefined, periodStartMs: period.startMs };
    return { account, period, usedCharacters: await this.#options.usage.used(subject) };
  }

  /**
   * Ends the holds of processes that died: of this machine's at once, of others when their leases are
   * over. Happens by itself as time goes by.
   *
   * @returns how many there were.
   */
  async recover(): Promise<number> {
    const { usage, now } = this.#options;
    for (const ownerId of await usage.owners()) {
      if (isDeadOwner(ownerId)) await usage.extend(ownerId, now());
    }
    return usage.expire(now());
  }

  /** Stops the clock. Holds that are still open are left to the next process. */
  async close(): Promise<void> {
    const { usage, health } = this.#options;
    clearInterval(this.#renewal);
    await this.#renewing;
    await this.#recorder.close();
    await health.inTime(usage.flush());
    leaveOwner(this.#ownerId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #open(placed: PlacedHold): Reservation {
    this.#live++;
    return new Reservation(this.#recorder, placed, () => this.#live--);
  }

  async #renew(): Promise<void> {
    const { usage, now, health } = this.#options;
    try {
      if (this.#live > 0 || health.problem) await usage.extend(this.#ownerId, now() + LEASE_MS);
      await this.recover();
      await this.#condense();
      await usage.flush();
      // An update of no rows does not show that the disk has room again; the recorder's writes do.
      if (this.#recorder.isIdle) health.worked();
    } catch (thrown) {
      health.failed(thrown);
    }
  }

  /** Once an hour is enough: nothing else grows by itself. */
  async #condense(): Promise<void> {
    const { usage, now } = this.#options;
    const hourMs = startOfHour(now());
    if (hourMs === this.#condensedInMs) return;
    const { hoursFromMs, daysFromMs } = usageKeptFrom(hourMs);
    await usage.condense(hoursFromMs, daysFromMs);
    this.#condensedInMs = hourMs;
  }

  async #bounds(accountId: string, keyId: string): Promise<SpendingBounds> {
    const bounds = await this.#options.usage.bounds(accountId, keyId);
    if (bounds) return bounds;
    throw new SpeechError('not_found', `There is no account with the id "${accountId}".`);
  }

  /** What speaks against a request that the ledger has not answered; undefined lets it in. */
  async #refuseOnTrust(
    { accountId, keyId, periodStartMs, characters }: Hold,
    bounds: SpendingBounds,
    period: BillingPeriod,
  ): Promise<SpeechError | undefined> {
    if (this.#options.health.isBeyondGrace) return storageUnavailable();
    for (const [subjectKeyId, limit, result] of [
      [undefined, bounds.account.characterLimit, 'account-limit'],
      [keyId, bounds.keyLimit, 'key-limit'],
    ] as const) {
      const subject = { accountId, keyId: subjectKeyId, periodStartMs };
      // Includes this request, whose hold is not recorded.
      const unrecorded = this.#recorder.unrecorded(subject);
      const used = limit === null ? 0 : await this.#usedInTime(subject);
      if (limit !== null && used + unrecorded > limit) {
        return this.#refuse(result, bounds, keyId, period, characters);
      }
    }
    return undefined;
  }

  /** As far as the database tells in time. */
  async #usedInTime(subject: UsageSubject): Promise<number> {
    const reading = this.#options.usage.used(subject).catch(() => 0);
    return (await settledWithin(reading, READ_PATIENCE_MS)) ?? 0;
  }

  async #refuse(
    result: Exclude<HoldResult, 'held'>,
    { account, keyLimit }: SpendingBounds,
    keyId: string,
    period: BillingPeriod,
    characters: number,
  ): Promise<SpeechError> {
    const { health } = this.#options;
    const isKey = result === 'key-limit';
    const limit = (isKey ? keyLimit : account.characterLimit) ?? 0;
    const subject: UsageSubject = {
      accountId: account.accountId,
      keyId: isKey ? keyId : undefined,
      periodStartMs: period.startMs,
    };
    const used = await this.#usedInTime(subject);
    await health.inTime(this.#tellReached(subject, limit, used, period));
    const left = Math.max(0, limit - used);
    const resetDay = new Date(period.endMs).toISOString().slice(0, 10);
    return new SpeechError(
      'quota_exceeded',
      `This request needs ${characters} characters, and ${left} of the ${isKey ? "API key's" : "account's"} ${limit} are left this month. Send less, wait until ${resetDay}, or have the limit raised.`,
    );
  }

  /** Once a month and limit. */
  async #tellReached(
    subject: UsageSubject,
    limit: number,
    used: number,
    period: BillingPeriod,
  ): Promise<void> {
    const { usage, tell } = this.#options;
    if (!(await usage.markReached(subject, limit))) return;
    await tell({
      type: 'quota.reached',
      accountId: subject.accountId,
      data: {
        api_key_id: subject.keyId ?? null,
        character_count: used,
        character_limit: limit,
        next_reset_unix: Math.floor(period.endMs / 1000),
      },
    });
  }
}

function storageUnavailable(): SpeechError {
  return new SpeechError(
    'storage_unavailable',
    'The server has not been able to write to its database for too long. Try again later; its log and /health tell the reason.',
  );
}
