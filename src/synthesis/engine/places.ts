/**
 * Of a machine's measured speed, what is promised to streams. The rest is for what the measurement
 * leaves out (sockets, codecs, phonemes) and for chance: at full use, somebody always waits.
 */
const RATED_SHARE = 0.75;
/** One place in so many is kept for accounts that have less than their even share. */
const KEPT_ONE_IN = 8;

export interface Machine {
  /** Threads that may work at the same time. */
  readonly cores: number;
  /** Processor seconds for a second of speech; 0 while nothing has been measured. */
  readonly realTimeFactor: number;
}

/** How many streams may speak at once, each without a pause; at least 1. */
export function ratedStreams({ cores, realTimeFactor }: Machine): number {
  if (realTimeFactor === 0) return 1;
  return Math.max(1, Math.floor((RATED_SHARE * cores) / realTimeFactor));
}

/** Who holds how many places, when one more is asked for. */
export class Holdings {
  readonly #places: number;
  readonly #held = new Map<string, number>();

  /** @param holders the account of each place that is taken. */
  constructor(places: number, holders: Iterable<string>) {
    this.#places = places;
    for (const accountId of holders) this.#held.set(accountId, this.#of(accountId) + 1);
  }

  get taken(): number {
    return [...this.#held.values()].reduce((sum, held) => sum + held, 0);
  }

  /**
   * Whether there is a place for the account. The last ones are for accounts below their even share:
   * an account that fills the server keeps nobody else out, and all places are used all the same.
   */
  hasRoomFor(accountId: string): boolean {
    const kept = this.#of(accountId) < this.#evenShare(accountId) ? 0 : this.#kept;
    return this.taken < this.#places - kept;
  }

  /** Whether the account has nothing while another holds more than an even share of what is taken. */
  isCrowdedOut(accountId: string): boolean {
    if (this.#of(accountId) > 0) return false;
    const evenShare = Math.ceil(this.taken / (this.#held.size + 1));
    return [...this.#held.values()].some((held) => held > evenShare);
  }

  get #kept(): number {
    return Math.floor(this.#places / KEPT_ONE_IN);
  }

  /** Somebody else might always come: no account alone is due all. */
  #evenShare(accountId: string): number {
    const accounts = new Set(this.#held.keys()).add(accountId).size;
    return Math.ceil(this.#places / Math.max(2, accounts));
  }

  #of(accountId: string): number {
    return this.#held.get(accountId) ?? 0;
  }
}
