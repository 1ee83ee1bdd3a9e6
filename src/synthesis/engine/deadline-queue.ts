/** Work that somebody waits for, more or less urgently. */
export interface Urgent {
  /** Whose work it is. */
  readonly accountId: string;
  /** `performance.now()` milliseconds; may change at any time. */
  deadline(): number;
}

/** Work that was taken, and how long after its deadline; 0 when it is in time. */
export interface Taken<T> {
  readonly item: T;
  readonly lateMs: number;
}

/** The order of accounts that compete; see `AccountShares`. */
interface AccountOrder {
  startOf(accountId: string): number;
}

/** How urgent an item is: compared field by field, the smaller first. */
type Rank = readonly [isLater: number, accountStartMs: number, deadlineMs: number];

/**
 * Work whose listener runs dry within this time is due, and due work is shared between accounts. It
 * covers the slack of a first audio and the longest step that may be under way.
 */
const DUE_WITHIN_MS = 120;

/**
 * Earliest deadline first, while every account gets what it needs in time. Of work that is due, the
 * account that was given least goes first, and within an account the earliest deadline: an account
 * that asks for more than there is delays itself, and no other.
 *
 * Deadlines move while work waits (a listener drains a buffer, another pauses), so they are read when
 * work is taken: no order is kept that could go stale. With the few dozen jobs that a machine can
 * speak at once, looking at all of them costs microseconds.
 */
export class DeadlineQueue<T extends Urgent> {
  readonly #accounts: AccountOrder;
  readonly #queuedAtMs = new Map<T, number>();

  constructor(accounts: AccountOrder) {
    this.#accounts = accounts;
  }

  get size(): number {
    return this.#queuedAtMs.size;
  }

  add(item: T, nowMs: number): void {
    if (!this.#queuedAtMs.has(item)) this.#queuedAtMs.set(item, nowMs);
  }

  delete(item: T): void {
    this.#queuedAtMs.delete(item);
  }

  /**
   * Removes and returns the most urgent item of those that `isEligible` lets pass; among equals, the
   * one added first. No work is due before it was asked for: a listener who did not read for a minute
   * and goes on is no minute late.
   */
  take(isEligible: (item: T) => boolean, nowMs: number): Taken<T> | undefined {
    let first: { readonly item: T; readonly rank: Rank } | undefined;
    for (const [item, queuedAtMs] of this.#queuedAtMs) {
      if (!isEligible(item)) continue;
      const rank = this.#rank(item, queuedAtMs, nowMs);
      if (!first || isBefore(rank, first.rank)) first = { item, rank };
    }
    if (!first) return undefined;
    this.#queuedAtMs.delete(first.item);
    return { item: first.item, lateMs: Math.max(0, nowMs - first.rank[2]) };
  }

  #rank(item: T, queuedAtMs: number, nowMs: number): Rank {
    const deadlineMs = Math.max(item.deadline(), queuedAtMs);
    if (deadlineMs > nowMs + DUE_WITHIN_MS) return [1, 0, deadlineMs];
    return [0, this.#accounts.startOf(item.accountId), deadlineMs];
  }
}

function isBefore(rank: Rank, other: Rank): boolean {
  const differing = rank.findIndex((value, index) => value !== other[index]);
  return differing !== -1 && (rank[differing] as number) < (other[differing] as number);
}
