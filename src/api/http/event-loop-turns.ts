/** How long requests may keep the event loop before timers and other sockets have their turn. */
const BUDGET_MS = 3;

/**
 * Spreads requests that come at once over turns of the event loop: what they need before they wait for
 * something, a hundred times over, would hold the audio of calls up. After the budget of a turn, each
 * of those that wait has a turn of its own.
 */
export class EventLoopTurns {
  readonly #now: () => number;
  readonly #nextTurn: (run: () => void) => void;
  readonly #waiting: Array<() => void> = [];
  #turnStartMs: number | undefined;

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

  /** @param begin called now when time is left in this turn and nobody waits, otherwise in a later one. */
  enter(begin: () => void): void {
    if (this.#turnStartMs === undefined) {
      this.#turnStartMs = this.#now();
      this.#nextTurn(() => this.#turn());
    }
    const isInTime = this.#now() - this.#turnStartMs < BUDGET_MS;
    if (isInTime && this.#waiting.length === 0) begin();
    else this.#waiting.push(begin);
  }

  #turn(): void {
    const next = this.#waiting.shift();
    if (!next) {
      this.#turnStartMs = undefined;
      return;
    }
    this.#nextTurn(() => this.#turn());
    next();
  }
}
