import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;
const WINDOW_MS = 10_000;
const NANOSECONDS_PER_MS = 1e6;

/** How late the main thread gets to its work, over the last ten to twenty seconds. */
export class EventLoopDelay {
  readonly #histogram: IntervalHistogram;
  readonly #rotation: NodeJS.Timeout;
  #lastWindowMs = 0;

  constructor() {
    this.#histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.#histogram.enable();
    this.#rotation = setInterval(() => this.#rotate(), WINDOW_MS).unref();
  }

  p99Ms(): number {
    return Math.max(this.#lastWindowMs, this.#currentMs());
  }

  close(): void {
    clearInterval(this.#rotation);
    this.#histogram.disable();
  }

  #rotate(): void {
    this.#lastWindowMs = this.#currentMs();
    this.#histogram.reset();
  }

  /** Node records the whole interval between two ticks of its timer, of which only the excess is delay. */
  #currentMs(): number {
    if (this.#histogram.count === 0) return 0;
    const intervalMs = this.#histogram.percentile(99) / NANOSECONDS_PER_MS;
    return Math.max(0, Math.round((intervalMs - RESOLUTION_MS) * 100) / 100);
  }
}
