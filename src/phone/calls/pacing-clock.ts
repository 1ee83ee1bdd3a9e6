/** At most this much goes out at one wake-up: more would be late for an interruption. */
const LONGEST_STEP_MS = 100;

/**
 * Says how much audio may be sent, by a deadline that moves with what was sent: it cannot drift, and
 * after a wake-up that came late it makes good what was missed. Knows no timer.
 */
export class PacingClock {
  readonly #messageMs: number;
  /** Never more than this is ahead of the listener. */
  readonly #limitMs: number;
  /** How much becomes due between two wake-ups. */
  readonly #stepMs: number;
  #runsDryAtMs = Number.NEGATIVE_INFINITY;

  /**
   * @param leadMs how far ahead of the listener to be. Two messages, where that is more: with one
   *   alone, every wake-up that is late would be heard.
   * @param messageMs the shortest message.
   */
  constructor(leadMs: number, messageMs: number) {
    this.#messageMs = messageMs;
    this.#limitMs = Math.max(leadMs, 2 * messageMs);
    const step = Math.min(this.#limitMs / 4, LONGEST_STEP_MS);
    this.#stepMs = messageMs * Math.max(1, Math.floor(step / messageMs));
  }

  /** Audio that the listener still has, if it plays without a pause. */
  aheadMs(nowMs: number): number {
    return Math.max(0, this.#runsDryAtMs - nowMs);
  }

  /** Audio that may be sent now; 0 when it is not enough for a message. */
  roomMs(nowMs: number): number {
    const roomMs = this.#limitMs - this.aheadMs(nowMs);
    return roomMs >= this.#messageMs ? roomMs : 0;
  }

  /** How long to wait until it is worth sending again. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.aheadMs(nowMs) - (this.#limitMs - this.#stepMs));
  }

  sent(durationMs: number, nowMs: number): void {
    this.#runsDryAtMs = Math.max(this.#runsDryAtMs, nowMs) + durationMs;
  }

  /** The listener has dropped what was left. */
  clear(): void {
    this.#runsDryAtMs = Number.NEGATIVE_INFINITY;
  }
}
