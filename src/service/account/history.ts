import type { Readable } from 'node:stream';
import type { HistoryItem } from '../../domain/history-item.ts';
import type { HistoryQuery } from '../storage/history-store.ts';
import type { Storage } from '../storage/storage.ts';

/** Where generations and their audio are kept. */
export type HistoryStorage = Pick<Storage, 'history' | 'blobs'>;

export type { HistoryQuery };

/** The generations of each account, with their audio. */
export class History {
  readonly #storage: HistoryStorage;
  readonly #now: () => number;

  /** @param now milliseconds since 1970. */
  constructor(storage: HistoryStorage, now: () => number) {
    this.#storage = storage;
    this.#now = now;
  }

  /** Without alignments. */
  list(query: HistoryQuery): Promise<readonly HistoryItem[]> {
    return this.#storage.history.list(query);
  }

  find(accountId: string, historyItemId: string): Promise<HistoryItem | undefined> {
    return this.#storage.history.find(accountId, historyItemId);
  }

  /**
   * @param range positions of the first and the last byte, both within the audio.
   * @returns undefined when the audio is gone, though the item is not.
   */
  openAudio(
    { historyItemId }: HistoryItem,
    range?: { readonly start: number; readonly end: number },
  ): Promise<Readable | undefined> {
    return this.#storage.blobs.get(audioKey(historyItemId), range);
  }

  /** @returns whether the account had such an item. From then on nobody finds it, whatever fails. */
  async delete(accountId: string, historyItemId: string): Promise<boolean> {
    const { history } = this.#storage;
    const isHidden = await history.hide(accountId, historyItemId, this.#now());
    if (isHidden) await removeHidden(this.#storage, historyItemId);
    return isHidden;
  }
}

/** Deletes the audio of a hidden item, then the item; after a crash in between it can be repeated. */
export async function removeHidden(
  { history, blobs }: HistoryStorage,
  historyItemId: string,
): Promise<void> {
  await blobs.delete(audioKey(historyItemId));
  await history.forget(historyItemId);
}

/** The blob that holds an item's audio. */
export function audioKey(historyItemId: string): string {
  return `history/${historyItemId}`;
}
