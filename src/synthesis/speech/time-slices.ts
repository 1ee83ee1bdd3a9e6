/** How long text may be worked on before sockets and timers have their turn. */
const BUDGET_MS = 3;

/**
 * Shares the main thread, which must hand audio on every few milliseconds, between pieces of work on
 * text. Work that is due is done in the order in which it came, until the budget of this turn of the
 * event loop is spent; the rest is left to the next turns.
 */
export class TimeSlices {
  readonly #now: () => number;
  readonly #nextTurn: (run: () => void) => void;
  readonly #waiting: Array<() => void> = [];
  #spentMs = 0;
  #hasPlanned = false;

  /**
   * @param now milliseconds that never go back.
   * @param nextTurn calls back in the next turn of the event loop.
   */
  constructor(
    now: () => number = () => performance.now(),
    nextTurn: (run: () => void) => void = setImmediate,
  ) {
    this.#now = now;
    this.#nextTurn = nextTurn;
  }

  /**
   * Does the work at once when time is left and nobody waits, otherwise in a later turn.
   *
   * @param work a slice: at most about 2 ms, for it is not interrupted.
   * @returns what the work returns. @throws what it throws.
   */
  run<Result>(work: () => Result | PromiseLike<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(work());
        } catch (thrown) {
          reject(thrown as Error);
        }
      });
      this.#advance();
    });
  }

  #advance(): void {
    while (this.#spentMs < BUDGET_MS) {
      const next = this.#waiting.shift();
      if (!next) break;
      const startMs = this.#now();
      next();
      this.#spentMs += this.#now() - startMs;
    }
    if (this.#hasPlanned) return;
    this.#hasPlanned = true;
    this.#nextTurn(() => {
      this.#hasPlanned = false;
      this.#spentMs = 0;
      if (this.#waiting.length > 0) this.#advance();
    });
  }
}

/** Those of this thread's event loop, which all connections share. */
export const timeSlices = new TimeSlices();
