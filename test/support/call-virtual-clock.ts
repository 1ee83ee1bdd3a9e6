import type { CallClock } from '../../src/phone/calls/call-clock.ts';

interface Timer {
  readonly atMs: number;
  readonly action: () => void;
}

/** Turns of the event loop in which promises and the tone engine get on, at each moment. */
const TURNS = 4;

/** Time that only passes when a test says so: an hour of it takes seconds. */
export class VirtualClock implements CallClock {
  #nowMs = 0;
  #timers = new Set<Timer>();
  readonly #progress: () => number;

  /** @param progress changes while work goes on that is to be finished before time passes. */
  constructor(progress: () => number = () => 0) {
    this.#progress = progress;
  }

  get timers(): number {
    return this.#timers.size;
  }

  readonly now = (): number => this.#nowMs;

  wallNow(): number {
    return 1_800_000_000_000 + this.#nowMs;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = { atMs: this.#nowMs + Math.ceil(delayMs), action };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Lets a stretch of time pass, timer by timer. */
  async advance(durationMs: number): Promise<void> {
    const untilMs = this.#nowMs + durationMs;
    await this.settle();
    for (let next = this.#next(untilMs); next; next = this.#next(untilMs)) {
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.action();
      await this.settle();
    }
    this.#nowMs = untilMs;
  }

  /** Time passes, and nobody wakes up: as when the process is held up. */
  stall(durationMs: number): void {
    this.#nowMs += durationMs;
  }

  /** Lets everything happen that is to happen now. */
  async settle(): Promise<void> {
    let before = this.#progress();
    for (let turn = 0; turn < TURNS; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      const progress = this.#progress();
      if (progress !== before) turn = 0;
      before = progress;
    }
  }

  #next(untilMs: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.atMs <= untilMs && (!first || timer.atMs < first.atMs)) first = timer;
    }
    return first;
  }
}
