/**
 * Ends contexts in which nothing happens (PROTOCOL §2). One timer a connection, set for when the
 * first of its contexts may be due; none while there is no context.
 */
export class ContextClock {
  readonly #timeoutMs: number;
  readonly #closeIdle: (afterMs: number) => number | undefined;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param closeIdle closes what has been idle for so many milliseconds, and tells in how many the
   *   next one may be due.
   */
  constructor(timeoutMs: number, closeIdle: (afterMs: number) => number | undefined) {
    this.#timeoutMs = timeoutMs;
    this.#closeIdle = closeIdle;
  }

  /** To be called whenever a context may have been opened. Cheap while the clock runs. */
  start(): void {
    if (this.#timer === undefined) this.#set(this.#timeoutMs);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #set(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const nextMs = this.#closeIdle(this.#timeoutMs);
      // A timer may be early by the fraction of a millisecond that it cannot count.
      if (nextMs !== undefined) this.#set(Math.ceil(nextMs));
    }, delayMs);
  }
}
