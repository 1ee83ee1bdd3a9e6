/**
 * Shares the workers' time between accounts that compete for it: start-time fair queueing (Goyal, Vin
 * and Cheng, SIGCOMM 1996) with equal weights. An account's virtual time grows by the work done for
 * it, and the account with the least goes next. Who comes back after a pause starts where the others are:
 * idle time earns no credit, and a burst leaves no debt.
 */
export class AccountShares {
  readonly #virtualMs = new Map<string, number>();
  /** Virtual start of the work done last: no account that asks now is behind it. */
  #floorMs = 0;

  /** Where the account's next work starts, in milliseconds of virtual time; the smallest goes first. */
  startOf(accountId: string): number {
    return Math.max(this.#virtualMs.get(accountId) ?? 0, this.#floorMs);
  }

  /** Counts work that was done for an account. */
  charge(accountId: string, computeMs: number): void {
    const startMs = this.startOf(accountId);
    this.#floorMs = startMs;
    this.#virtualMs.set(accountId, startMs + computeMs);
    for (const [other, virtualMs] of this.#virtualMs) {
      // Equal to an account that was never seen.
      if (virtualMs <= this.#floorMs) this.#virtualMs.delete(other);
    }
  }

  /** Accounts that are remembered: those that are ahead of the others. */
  get size(): number {
    return this.#virtualMs.size;
  }
}
