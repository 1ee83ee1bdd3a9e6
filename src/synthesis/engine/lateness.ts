/** What happened longer ago says nothing about now. */
const WINDOW_MS = 1000;
/** A step that starts later than this is late: less is the jitter of timers and threads. */
const TOLERANCE_MS = 20;
/** Fewer starts than this say nothing. */
const LEAST_STARTS = 8;
/** A burst makes some steps late; when more than this share of them is, there is too much work. */
const MOST_LATE_SHARE = 0.5;

interface Start {
  readonly atMs: number;
  readonly isLate: boolean;
}

/** Tells whether the engine is overloaded: whether most steps of the last second started too late. */
export class Lateness {
  readonly #starts: Start[] = [];
  #lateStarts = 0;

  /** @param lateMs how long after its deadline a step started, for want of a worker. */
  started(lateMs: number, nowMs: number): void {
    const isLate = lateMs > TOLERANCE_MS;
    this.#starts.push({ atMs: nowMs, isLate });
    if (isLate) this.#lateStarts++;
    this.#forget(nowMs);
  }

  isOverloaded(nowMs: number): boolean {
    this.#forget(nowMs);
    const { length } = this.#starts;
    return length >= LEAST_STARTS && this.#lateStarts > length * MOST_LATE_SHARE;
  }

  #forget(nowMs: number): void {
    for (
      let [oldest] = this.#starts;
      oldest && oldest.atMs < nowMs - WINDOW_MS;
      [oldest] = this.#starts
    ) {
      this.#starts.shift();
      if (oldest.isLate) this.#lateStarts--;
    }
  }
}
