/** Work that somebody waits for, more or less urgently. */
export interface Urgent {
  /** `performance.now()` milliseconds; may change at any time. */
  deadline(): number;
}

/**
 * Earliest deadline first. Deadlines move while work waits (a listener drains a buffer, another
 * pauses), so they are read when work is taken: no order is kept that could go stale. With the few
 * dozen jobs that a machine can speak at once, looking at all of them costs microseconds.
 */
export class DeadlineQueue<T extends Urgent> {
  readonly #items = new Set<T>();

  get size(): number {
    return this.#items.size;
  }

  add(item: T): void {
    this.#items.add(item);
  }

  delete(item: T): void {
    this.#items.delete(item);
  }

  /**
   * Removes and returns the most urgent item of those that `isEligible` lets pass; among equals, the
   * one added first.
   */
  take(isEligible: (item: T) => boolean): T | undefined {
    let earliest: T | undefined;
    let earliestDeadline = Number.POSITIVE_INFINITY;
    for (const item of this.#items) {
      if (!isEligible(item)) continue;
      const deadline = item.deadline();
      if (earliest === undefined || deadline < earliestDeadline) {
        earliest = item;
        earliestDeadline = deadline;
      }
    }
    if (earliest !== undefined) this.#items.delete(earliest);
    return earliest;
  }
}
