import type { Caller } from '../../domain/account.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { Model } from '../../domain/model.ts';

/** Turbo models may be asked twice as much at once (PROTOCOL §3.2). */
const GROUP_FACTOR: Readonly<Record<Model['concurrencyGroup'], number>> = { standard: 1, turbo: 2 };

interface Slot {
  readonly group: Model['concurrencyGroup'];
  readonly isWaiting: () => boolean;
}

/** What waits for a slot of its account. */
interface Queued {
  readonly group: Model['concurrencyGroup'];
  readonly enterIfRoom: () => void;
}

/** How a request would like to be entered. */
export interface SlotWish {
  /** While it says so, the request does not count. */
  readonly isWaiting?: () => boolean;
  /** Whether it goes on with speech that is being heard: it then waits for a slot, and is never refused. */
  readonly isContinuation?: boolean;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
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
  readonly #queues = new Map<string, Set<Queued>>();

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
   * @throws SpeechError `too_many_concurrent_requests`.
   */
  acquire(caller: Payer, model: Model, { isWaiting }: SlotWish = {}): ConcurrencySlot {
    // What goes on with speech, and waits for that, goes first.
    if (!this.#hasRoom(caller, model, this.#queued(caller, model))) {
      throw refusal(caller, this.look(caller, model).maximum);
    }
    return this.#enter(caller, model, isWaiting);
  }

  /**
   * The same, but what goes on with speech waits until its account has a slot.
   *
   * @throws SpeechError `too_many_concurrent_requests`; the reason of the wish's signal once it is aborted.
   */
  async acquireInTurn(caller: Payer, model: Model, wish: SlotWish = {}): Promise<ConcurrencySlot> {
    if (!wish.isContinuation) return this.acquire(caller, model, wish);
    if (caller.concurrencyLimit === 0) throw refusal(caller, 0);
    if (this.#hasRoom(caller, model)) return this.#enter(caller, model, wish.isWaiting);
    return this.#queue(caller, model, wish);
  }

  /** @param queued how many others are to be entered first. */
  #hasRoom(caller: Payer, model: Model, queued = 0): boolean {
    const { current, maximum } = this.look(caller, model);
    return caller.concurrencyLimit === null || current + queued < maximum;
  }

  #queued({ accountId }: Payer, { concurrencyGroup }: Model): number {
    const queue = [...(this.#queues.get(accountId) ?? [])];
    return queue.filter(({ group }) => group === concurrencyGroup).length;
  }

  #enter(caller: Payer, model: Model, isWaiting = () => false): ConcurrencySlot {
    const { accountId } = caller;
    const slot = { group: model.concurrencyGroup, isWaiting };
    const slots = this.#slots.get(accountId) ?? new Set();
    this.#slots.set(accountId, slots.add(slot));
    return { ...this.look(caller, model), release: () => this.#release(accountId, slot) };
  }

  #queue(caller: Payer, model: Model, { isWaiting, signal }: SlotWish): Promise<ConcurrencySlot> {
    signal?.throwIfAborted();
    const queue = this.#queues.get(caller.accountId) ?? new Set();
    this.#queues.set(caller.accountId, queue);
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal?.removeEventListener('abort', abort);
        queue.delete(queued);
        if (queue.size === 0) this.#queues.delete(caller.accountId);
      };
      const abort = () => {
        leave();
        reject(signal?.reason as Error);
      };
      const enterIfRoom = () => {
        if (!this.#hasRoom(caller, model)) return;
        leave();
        resolve(this.#enter(caller, model, isWaiting));
      };
      const queued = { group: model.concurrencyGroup, enterIfRoom };
      queue.add(queued);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  #release(accountId: string, slot: Slot): void {
    const slots = this.#slots.get(accountId);
    slots?.delete(slot);
    if (slots?.size === 0) this.#slots.delete(accountId);
    for (const { enterIfRoom } of [...(this.#queues.get(accountId) ?? [])]) enterIfRoom();
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
