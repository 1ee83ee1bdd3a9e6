/** Sees to it that text which waits for more text does not wait longer than its client allows. */
export class BufferDelays {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #speak: (contextId: string) => void;

  /** @param speak called with a context to which nothing was sent for as long as it may wait. */
  constructor(speak: (contextId: string) => void) {
    this.#speak = speak;
  }

  /** @param delayMs from now on; 0 where nothing waits any more. */
  set(contextId: string, delayMs: number): void {
    clearTimeout(this.#timers.get(contextId));
    this.#timers.delete(contextId);
    if (delayMs === 0) return;
    const speak = () => {
      this.#timers.delete(contextId);
      this.#speak(contextId);
    };
    this.#timers.set(contextId, setTimeout(speak, delayMs));
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
