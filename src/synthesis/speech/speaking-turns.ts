/**
 * Lets a few of a connection's contexts speak at once. The others wait, first come, first served, so
 * that one connection cannot take the engine from all others.
 */
export class SpeakingTurns {
  readonly #most: number;
  readonly #waiting: Array<() => void> = [];
  #taken = 0;

  /** @param most turns that may be taken at once. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Waits for a turn; one that is free is taken at once.
   *
   * @returns what ends the turn. Idempotent.
   * @throws the signal's reason when it aborts while waiting.
   */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#taken < this.#most) this.#taken++;
    else await this.#handedOver(signal);
    let isTaken = true;
    return () => {
      if (isTaken) this.#end();
      isTaken = false;
    };
  }

  /** Whoever ends a turn passes it on, so that nobody who comes later gets it first. */
  #end(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken--;
  }

  #handedOver(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(signal.reason as Error);
      };
      this.#waiting.push(take);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
