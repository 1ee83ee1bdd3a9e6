/**
 * How soon a listener who hears nothing yet should hear something. Work with a deadline further
 * away than this (a stream with more audio than this ahead of its playhead) waits for them. It is
 * about what the most urgent of the others needs for its next window.
 */
const FIRST_AUDIO_SLACK_MS = 120;

/**
 * Follows how much audio a listener still has to play. Playing starts at once, unless other audio is
 * played before it.
 */
export class Playout {
  readonly #now: () => number;
  readonly #aheadMs: () => number;
  #runsDryAtMs = 0;

  /**
   * @param aheadMs audio that the listener hears before anything that is made now, where that is
   *   known; 0 when there is none.
   */
  constructor(now: () => number, aheadMs: () => number = () => 0) {
    this.#now = now;
    this.#aheadMs = aheadMs;
  }

  /** Whether the listener has nothing left to play. */
  get isDry(): boolean {
    return this.dryAtMs <= this.#now();
  }

  /** When the listener has nothing left to play; in the past when it has been so for a while. */
  get dryAtMs(): number {
    const aheadMs = this.#aheadMs();
    return aheadMs > 0 ? this.#now() + aheadMs : this.#runsDryAtMs;
  }

  /** Counts audio as handed to the listener now. */
  add(durationMs: number): void {
    this.#runsDryAtMs = Math.max(this.#runsDryAtMs, this.#now()) + durationMs;
  }

  /**
   * The deadline of work that becomes due now: when the buffer runs dry. A listener whose buffer is
   * dry already has waited anyhow; until their first audio, it is a little after the work was asked for.
   */
  deadline(): () => number {
    const askedAtMs = this.#now();
    const before = this.#runsDryAtMs;
    const isFirst = () => this.#runsDryAtMs === before && before <= askedAtMs;
    return () => {
      if (this.#aheadMs() > 0) return this.dryAtMs;
      return isFirst() ? askedAtMs + FIRST_AUDIO_SLACK_MS : this.#runsDryAtMs;
    };
  }
}
