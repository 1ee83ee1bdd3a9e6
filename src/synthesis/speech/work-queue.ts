/** First in, first out; the one consumer waits while it is empty, and stops when it is ended. */
export class WorkQueue<T> {
  readonly #items: T[] = [];
  #wake: (() => void) | undefined;
  #taken: (() => void) | undefined;
  #ended = false;

  get size(): number {
    return this.#items.length;
  }

  push(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** Items already in the queue are still consumed. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
    this.#taken?.();
  }

  /** For the one producer: waits until fewer than `most` items are left, or the queue is ended. */
  async room(most: number): Promise<void> {
    while (this.#items.length >= most && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#taken = resolve;
      });
      this.#taken = undefined;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    while (true) {
      const item = this.#items.shift();
      if (item !== undefined) {
        this.#taken?.();
        yield item;
      } else if (this.#ended) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    }
  }
}
