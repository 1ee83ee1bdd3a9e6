import type { Caller } from '../../domain/account.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { Model } from '../../domain/model.ts';

/** Turbo models may be asked twice as much at once (PROTOCOL §3.2). */
const GROUP_FACTOR: Readonly<Record<Model['concurrencyGroup'], number>> = { standard: 1, turbo: 2 };

interface Slot {
  readonly group: Model['concurrencyGroup'];
  readonly isWaiting: () => boolean;
}

type Payer = Pick<Caller, 'accountId' | 'tier' | 'concurrencyLimit'>;

/** How much of an account is being spoken right now. */
export interface Concurrency {
  /** Requests of the model's group. */
  readonly current: number;
  readonly maximum: number;
  /** Requests of all groups. */
  readonly ofAccount: number;
}

/** A request's place among those of its account, to be given up when its speech is made. */
export interface ConcurrencySlot extends Concurrency {
  /** Idempotent. */
  release(): void;
}

/**
 * Counts what each account has spoken at once, and keeps it within the account's limit. Counts are
 * of this process, as its capacity is.
 */
export class ConcurrencyLimiter {
  readonly #serverLimit: () => number;
  readonly #slots = new Map<string, Set<Slot>>();

  /** @param serverLimit what the server can speak at once: the limit of accounts without their own. */
  constructor(serverLimit: () => number) {
    this.#serverLimit = serverLimit;
  }

  /** How things stand, for the headers of a refusal; `acquire` returns the same for a reply. */
  look({ accountId, concurrencyLimit }: Payer, { concurrencyGroup }: Model): Concurrency {
    const slots = [...(this.#slots.get(accountId) ?? [])].filter(({ isWaiting }) => !isWaiting());
    return {
      current: slots.filter(({ group }) => group === concurrencyGroup).length,
      maximum:
        concurrencyLimit === null
          ? this.#serverLimit()
          : concurrencyLimit * GROUP_FACTOR[concurrencyGroup],
      ofAccount: slots.length,
    };
  }

  /**
   * Enters a request that is about to speak. An account without a limit of its own is never refused
   * here: the engine refuses it (`system_busy`) when it is full.
   *
   * @param isWaiting while it says so, the request does not count.
   * @throws SpeechError `too_many_concurrent_requests`.
   */
  acquire(caller: Payer, model: Model, isWaiting: () => boolean = () => false): ConcurrencySlot {
    const { current, maximum } = this.look(caller, model);
    if (caller.concurrencyLimit !== null && current >= maximum) throw refusal(caller, maximum);
    const { accountId } = caller;
    const slot = { group: model.concurrencyGroup, isWaiting };
    const slots = this.#slots.get(accountId) ?? new Set();
    this.#slots.set(accountId, slots.add(slot));
    return { ...this.look(caller, model), release: () => this.#release(accountId, slot) };
  }

  #release(accountId: string, slot: Slot): void {
    const slots = this.#slots.get(accountId);
    slots?.delete(slot);
    if (slots?.size === 0) this.#slots.delete(accountId);
  }
}

/** The headers by which clients pace themselves (PROTOCOL §3.1). */
export function concurrencyHeaders({ current, maximum, ofAccount }: Concurrency) {
  return {
    'current-concurrent-requests': String(current),
    'maximum-concurrent-requests': String(maximum),
    'workspace-concurrent-requests': String(ofAccount),
  };
}

function refusal({ tier }: Payer, maximum: number): SpeechError {
  return new SpeechError(
    'too_many_concurrent_requests',
    `This account has ${maximum} requests in progress, the most it may have at once (tier ${tier}). Wait for one to end, or ask for a higher limit.`,
  );
}
