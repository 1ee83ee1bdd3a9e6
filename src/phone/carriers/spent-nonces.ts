import { BoundedMap } from '../../domain/bounded-map.ts';

/** More than this many are not remembered: as many calls would have to begin within one lifetime. */
const MAX_NONCES = 50_000;

/** Remembers what was signed for one use, so that a recorded request does not work a second time. */
export class SpentNonces {
  /** When each may be forgotten, because the signature is too old by then; the oldest first. */
  readonly #expiry: BoundedMap<string, number>;

  constructor(maxNonces = MAX_NONCES) {
    this.#expiry = new BoundedMap(maxNonces);
  }

  get size(): number {
    return this.#expiry.size;
  }

  /**
   * To be called for verified signatures only, or anybody could fill the memory.
   * @param untilMs when a request with this nonce would be refused for its age anyway.
   * @returns whether it is its first use.
   */
  spend(nonce: string, untilMs: number, nowMs: number): boolean {
    if ((this.#expiry.get(nonce) ?? Number.NEGATIVE_INFINITY) > nowMs) return false;
    this.#forgetExpired(nowMs);
    this.#expiry.set(nonce, untilMs);
    return true;
  }

  /** Lifetimes are alike, so that the oldest are the first to expire. */
  #forgetExpired(nowMs: number): void {
    for (const [nonce, untilMs] of this.#expiry) {
      if (untilMs > nowMs) return;
      this.#expiry.delete(nonce);
    }
  }
}
