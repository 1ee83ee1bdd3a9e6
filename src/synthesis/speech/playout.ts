/**
 * How soon a listener who hears nothing yet should hear something. Work with a deadline further
 * away than this (a stream with more audio than this ahead of its playhead) waits for him. It is
 * about what the most urgent of the others needs for its next window.
 */
const FIRST_AUDIO_SLACK_MS = 120;

/** Follows how much audio a listener still has to play, assuming that playing starts at once. */
export class Playout {
  readonly #now: () => number;
  #runsDryAtMs = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether the listener has nothing left to play. */
  get isDry(): boolean {
    return this.#runsDryAtMs <= this.#now();
  }

  /** Counts audio as handed to the listener now. */
  add(durationMs: number): void {
    this.#runsDryAtMs = Math.max(this.#runsDryAtMs, this.#now()) + durationMs;
  }

  /**
   * The deadline of work that becomes due now: when the buffer runs dry. A listener whose buffer is
   * dry already has waited anyhow; until his first audio, it is a little after the work was asked for.
   */
  deadline(): () => number {
    const askedAtMs = this.#now();
    const dryAtMs = this.#runsDryAtMs;
    const isWaiting = () => this.#runsDryAtMs === dryAtMs && dryAtMs <= askedAtMs;
    return () => (isWaiting() ? askedAtMs + FIRST_AUDIO_SLACK_MS : this.#runsDryAtMs);
  }
}
