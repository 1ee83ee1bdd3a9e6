import type { HistoryItem, HistorySource } from '../../domain/history-item.ts';

/** Which items a list holds, and in which order. */
export interface HistoryQuery {
  readonly accountId: string;
  readonly limit: number;
  readonly direction: 'newest-first' | 'oldest-first';
  /** Only items that come behind this id in the chosen direction; it may be deleted meanwhile. */
  readonly startAfter?: string | undefined;
  readonly voiceId?: string | undefined;
  readonly modelId?: string | undefined;
  readonly source?: HistorySource | undefined;
  /** Part of the text, in any case. */
  readonly search?: string | undefined;
  /** Milliseconds since 1970, exclusive. */
  readonly createdBeforeMs?: number | undefined;
  /** Milliseconds since 1970, inclusive. */
  readonly createdFromMs?: number | undefined;
}

/**
 * Generations that were kept. An item and its audio cannot change in one step, so an item is hidden
 * while they differ: it is added hidden, shown when its audio is stored, and hidden again before its
 * audio is deleted. What a crash leaves hidden is found by `listHidden`.
 */
export interface HistoryStore {
  /** Adds an item that nobody sees yet. @throws StorageError when the id is there already. */
  add(item: HistoryItem, nowMs: number): Promise<void>;
  /** Lets an item be seen. */
  show(historyItemId: string): Promise<void>;
  find(accountId: string, historyItemId: string): Promise<HistoryItem | undefined>;
  /** Without alignments. */
  list(query: HistoryQuery): Promise<readonly HistoryItem[]>;
  /** @returns whether the account saw such an item until now. */
  hide(accountId: string, historyItemId: string, nowMs: number): Promise<boolean>;
  /** Hides every account's items made before a time. @returns how many there were. */
  hideCreatedBefore(timeMs: number, nowMs: number): Promise<number>;
  /**
   * Hides the oldest items of every account whose audio has more bytes than that, until it fits.
   *
   * @returns how many there were.
   */
  hideBeyond(audioBytes: number, nowMs: number): Promise<number>;
  /** Ids of items that have been hidden since before a time, any account's. */
  listHidden(beforeMs: number, limit: number): Promise<readonly string[]>;
  /** Removes a hidden item. */
  forget(historyItemId: string): Promise<void>;
}
