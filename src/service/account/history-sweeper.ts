import { type HistoryStorage, removeHidden } from './history.ts';

const HOUR_MS = 3_600_000;
/** No generation takes longer from its last byte to its place in the history, nor pauses longer. */
const UNFINISHED_FOR_MS = HOUR_MS;
const BATCH_SIZE = 100;

export interface HistorySweeperOptions {
  readonly storage: HistoryStorage;
  /** How long items are kept; undefined keeps them until they are deleted. */
  readonly keepForMs: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Hears of a sweep that failed; the next one takes up where it stopped. */
  readonly failed: (cause: unknown) => void;
}

/**
 * Hides items that are past their time, and removes what is hidden for good: items deleted or past
 * their time, and what crashes left half done. Several servers may sweep the same storage.
 */
export class HistorySweeper {
  readonly #options: HistorySweeperOptions;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(options: HistorySweeperOptions) {
    this.#options = options;
  }

  /** Sweeps now, and every hour until closed. */
  start(): void {
    const sweep = () => {
      this.#sweeping = this.sweep().catch(this.#options.failed);
    };
    this.#timer = setInterval(sweep, HOUR_MS).unref();
    sweep();
  }

  async sweep(): Promise<void> {
    const { storage, keepForMs, now } = this.#options;
    const nowMs = now();
    if (keepForMs !== undefined) await storage.history.hideCreatedBefore(nowMs - keepForMs, nowMs);
    const unfinishedBeforeMs = nowMs - UNFINISHED_FOR_MS;
    let ids: readonly string[];
    do {
      ids = await storage.history.listHidden(unfinishedBeforeMs, BATCH_SIZE);
      for (const id of ids) await removeHidden(storage, id);
    } while (ids.length === BATCH_SIZE);
    await storage.blobs.discardUnfinished(unfinishedBeforeMs);
  }

  /** Waits for a sweep that is going on. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweeping;
  }
}
