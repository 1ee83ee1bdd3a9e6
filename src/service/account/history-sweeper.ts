import { type HistoryStorage, removeHidden } from './history.ts';

/** No generation takes longer from its last byte to its place in the history, nor pauses longer. */
const UNFINISHED_FOR_MS = 3_600_000;
/** An account that generates without pause gets so much past its limit. */
const SWEEP_EVERY_MS = 600_000;
const BATCH_SIZE = 100;

export interface HistorySweeperOptions {
  readonly storage: HistoryStorage;
  /** How long items are kept; undefined keeps them until they are deleted. */
  readonly keepForMs: number | undefined;
  /** Of audio of each account. */
  readonly keepBytes: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Hears of a sweep that failed; the next one takes up where it stopped. */
  readonly failed: (cause: unknown) => void;
}

/**
 * Hides items that are past their time, or of which an account has too many bytes, the oldest first.
 * Removes for good what has been hidden for an hour, and what crashes left half done. Several servers may sweep the same storage.
 */
export class HistorySweeper {
  readonly #options: HistorySweeperOptions;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(options: HistorySweeperOptions) {
    this.#options = options;
  }

  /** Sweeps now, and every ten minutes until closed. */
  start(): void {
    const sweep = () => {
      this.#sweeping = this.sweep().catch(this.#options.failed);
    };
    this.#timer = setInterval(sweep, SWEEP_EVERY_MS).unref();
    sweep();
  }

  async sweep(): Promise<void> {
    const { storage, keepForMs, keepBytes, now } = this.#options;
    const nowMs = now();
    if (keepForMs !== undefined) await storage.history.hideCreatedBefore(nowMs - keepForMs, nowMs);
    await storage.history.hideBeyond(keepBytes, nowMs);
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
