import { randomUUID } from 'node:crypto';
import type { AccountRecord, Caller, SpendingBounds } from '../../domain/account.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { TellEvent } from '../../domain/service-event.ts';
import type { HoldResult, UsageStore, UsageSubject } from '../storage/usage-store.ts';
import { type BillingPeriod, billingPeriod } from './billing-period.ts';
import { Reservation } from './reservation.ts';

/** A process that has not said for this long that it lives is dead, and its holds expire. */
const LEASE_MS = 60_000;
/** Three chances to renew the lease; also how much of the ledger a power cut may take. */
const RENEWAL_MS = LEASE_MS / 3;

export interface QuotaOptions {
  readonly usage: UsageStore;
  /** Hears, once a month and limit, that nothing is left. */
  readonly tell: TellEvent;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told when a renewal failed; the next follows in a third of the lease. */
  readonly onRenewalFailed: (thrown: unknown) => void;
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
 */
export class Quota implements AsyncDisposable {
  readonly #options: QuotaOptions;
  /** Names this process in the ledger. */
  readonly #ownerId = randomUUID();
  readonly #renewal: NodeJS.Timeout;
  #live = 0;
  #renewing: Promise<void> = Promise.resolve();

  constructor(options: QuotaOptions) {
    this.#options = options;
    this.#renewal = setInterval(() => {
      this.#renewing = this.#renew();
    }, RENEWAL_MS).unref();
  }

  /**
   * Sets characters aside, for the caller's account and key alike.
   * @throws SpeechError `quota_exceeded` that tells which of the two has too few left, and until when.
   */
  async reserve(payer: Payer, characters: number): Promise<Reservation> {
    const { usage, now } = this.#options;
    const { accountId, keyId } = payer;
    const bounds = payer.bounds ?? (await this.#bounds(accountId, keyId));
    const nowMs = now();
    const period = billingPeriod(bounds.account.createdAtMs, nowMs);
    const hold = {
      holdId: randomUUID(),
      accountId,
      keyId,
      periodStartMs: period.startMs,
      characters,
      ownerId: this.#ownerId,
      expiresAtMs: nowMs + LEASE_MS,
    };
    const result = await usage.hold(hold, {
      account: bounds.account.characterLimit,
      key: bounds.keyLimit,
    });
    if (result !== 'held') throw await this.#refuse(result, bounds, keyId, period, characters);
    this.#live++;
    return new Reservation(usage, hold, () => this.#live--);
  }

  /** @throws SpeechError `not_found` when there is no such account. */
  async standing(accountId: string): Promise<Standing> {
    const { account } = await this.#bounds(accountId, '');
    const period = billingPeriod(account.createdAtMs, this.#options.now());
    const subject = { accountId, keyId: undefined, periodStartMs: period.startMs };
    return { account, period, usedCharacters: await this.#options.usage.used(subject) };
  }

  /**
   * Ends the holds of processes that died. Happens by itself as time goes by.
   * @returns how many there were.
   */
  async recover(): Promise<number> {
    return this.#options.usage.expire(this.#options.now());
  }

  /** Stops the clock. Holds that are still open are left to the next process. */
  async close(): Promise<void> {
    clearInterval(this.#renewal);
    await this.#renewing;
    await this.#options.usage.flush();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #renew(): Promise<void> {
    const { usage, now, onRenewalFailed } = this.#options;
    try {
      if (this.#live > 0) await usage.extend(this.#ownerId, now() + LEASE_MS);
      await this.recover();
      await usage.flush();
    } catch (thrown) {
      onRenewalFailed(thrown);
    }
  }

  async #bounds(accountId: string, keyId: string): Promise<SpendingBounds> {
    const bounds = await this.#options.usage.bounds(accountId, keyId);
    if (bounds) return bounds;
    throw new SpeechError('not_found', `There is no account with the id "${accountId}".`);
  }

  async #refuse(
    result: Exclude<HoldResult, 'held'>,
    { account, keyLimit }: SpendingBounds,
    keyId: string,
    period: BillingPeriod,
    characters: number,
  ): Promise<SpeechError> {
    const { usage, tell } = this.#options;
    const isKey = result === 'key-limit';
    const limit = (isKey ? keyLimit : account.characterLimit) ?? 0;
    const subject: UsageSubject = {
      accountId: account.accountId,
      keyId: isKey ? keyId : undefined,
      periodStartMs: period.startMs,
    };
    const used = await usage.used(subject);
    if (await usage.markReached(subject, limit)) {
      await tell({
        type: 'quota.reached',
        accountId: account.accountId,
        data: {
          api_key_id: subject.keyId ?? null,
          character_count: used,
          character_limit: limit,
          next_reset_unix: Math.floor(period.endMs / 1000),
        },
      });
    }
    const left = Math.max(0, limit - used);
    const resetDay = new Date(period.endMs).toISOString().slice(0, 10);
    return new SpeechError(
      'quota_exceeded',
      `This request needs ${characters} characters, and ${left} of the ${isKey ? "API key's" : "account's"} ${limit} are left this month. Send less, wait until ${resetDay}, or have the limit raised.`,
    );
  }
}
