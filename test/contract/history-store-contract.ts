import { describe, expect, it } from 'vitest';
import type { HistoryItem } from '../../src/domain/history-item.ts';
import { DEFAULT_VOICE_SETTINGS } from '../../src/domain/voice.ts';
import { newHistoryItemId } from '../../src/service/account/history-item-id.ts';
import type { HistoryQuery, HistoryStore } from '../../src/service/storage/history-store.ts';
import type { NewPlace } from '../support/storages.ts';

const NOON_MS = 1_763_700_000_123;

export function historyItem(given: Partial<HistoryItem> = {}): HistoryItem {
  const createdAtMs = given.createdAtMs ?? NOON_MS;
  return {
    historyItemId: newHistoryItemId(createdAtMs),
    accountId: 'default',
    requestId: 'request-1',
    voiceId: 'v'.repeat(20),
    voiceName: 'Ada "the voice"; DROP TABLE history_item; — голос 🔑',
    voiceCategory: 'premade',
    modelId: 'svc_monolingual_v1',
    text: 'Hello.\n“Здравствуйте” 100% sure_ly 👋🏽',
    createdAtMs,
    charactersBefore: 3_000_000_000,
    charactersAfter: 3_000_000_036,
    contentType: 'audio/mpeg',
    outputFormat: 'mp3_44100_128',
    settings: { ...DEFAULT_VOICE_SETTINGS, speed: 1.15 },
    source: 'TTS',
    alignments: { alignment: { characters: ['H'] }, normalized_alignment: null },
    audioBytes: 5_000_000_000,
    ...given,
  };
}

async function addShown(store: HistoryStore, ...items: readonly HistoryItem[]): Promise<void> {
  for (const item of items) {
    await store.add(item, NOON_MS);
    await store.show(item.historyItemId);
  }
}

async function listIds(store: HistoryStore, query: Partial<HistoryQuery> = {}) {
  const whole = { accountId: 'default', limit: 100, direction: 'newest-first', ...query } as const;
  return (await store.list(whole)).map((item) => item.historyItemId);
}

/** What every adapter of `HistoryStore` must do. */
export function historyStoreContract(technology: string, newPlace: NewPlace): void {
  describe(`history store on ${technology}`, () => {
    it('returns exactly what was added, and lists it without alignments', async () => {
      await using storage = await newPlace().open();
      const item = historyItem();
      await addShown(storage.history, item);
      expect(await storage.history.find('default', item.historyItemId)).toEqual(item);
      const query = { accountId: 'default', limit: 1, direction: 'newest-first' } as const;
      expect(await storage.history.list(query)).toEqual([{ ...item, alignments: undefined }]);
    });

    it('keeps items over a restart', async () => {
      const place = newPlace();
      const item = historyItem({ alignments: undefined });
      const before = await place.open();
      await addShown(before.history, item);
      await before.close();
      await using after = await place.open();
      expect(await after.history.find('default', item.historyItemId)).toEqual(item);
    });

    it('shows an item to nobody until it is told to, nor after it is hidden', async () => {
      await using storage = await newPlace().open();
      const { history } = storage;
      const item = historyItem();
      await history.add(item, NOON_MS);
      expect(await history.find('default', item.historyItemId)).toBeUndefined();
      expect(await listIds(history)).toEqual([]);
      expect(await history.hide('default', item.historyItemId, NOON_MS)).toBe(false);
      await history.show(item.historyItemId);
      expect(await listIds(history)).toEqual([item.historyItemId]);
      expect(await history.hide('default', item.historyItemId, NOON_MS)).toBe(true);
      expect(await history.hide('default', item.historyItemId, NOON_MS)).toBe(false);
      expect(await history.find('default', item.historyItemId)).toBeUndefined();
      expect(await listIds(history)).toEqual([]);
    });

    it('refuses a second item with the same id, and keeps the first', async () => {
      await using storage = await newPlace().open();
      const item = historyItem();
      await addShown(storage.history, item);
      const clash = historyItem({ historyItemId: item.historyItemId, text: 'other' });
      await expect(storage.history.add(clash, NOON_MS)).rejects.toThrow(/stored already/);
      expect(await storage.history.find('default', item.historyItemId)).toEqual(item);
    });

    it('keeps accounts apart', async () => {
      await using storage = await newPlace().open();
      const item = historyItem();
      await addShown(storage.history, item);
      expect(await listIds(storage.history, { accountId: 'other' })).toEqual([]);
      expect(await storage.history.find('other', item.historyItemId)).toBeUndefined();
      expect(await storage.history.hide('other', item.historyItemId, NOON_MS)).toBe(false);
    });

    it.each(['newest-first', 'oldest-first'] as const)(
      'pages %s, each item once',
      async (direction) => {
        await using storage = await newPlace().open();
        const times = [5, 3, 9, 3, 7, 1, 3].map((offset) => NOON_MS + offset);
        const items = times.map((createdAtMs) => historyItem({ createdAtMs }));
        await addShown(storage.history, ...items);
        const pages: string[][] = [];
        let startAfter: string | undefined;
        do {
          const page = await listIds(storage.history, { direction, limit: 3, startAfter });
          pages.push(page);
          startAfter = page.at(-1);
        } while (startAfter !== undefined);
        expect(pages.map((page) => page.length)).toEqual([3, 3, 1, 0]);
        const ids = items.map((item) => item.historyItemId).sort();
        expect(pages.flat()).toEqual(direction === 'oldest-first' ? ids : ids.toReversed());
        const listed = pages.flat().map((id) => items.find((item) => item.historyItemId === id));
        const sorted = times.sort((one, other) => one - other);
        expect(listed.map((item) => item?.createdAtMs)).toEqual(
          direction === 'oldest-first' ? sorted : sorted.toReversed(),
        );
      },
    );

    it('goes on behind an item that was deleted meanwhile', async () => {
      await using storage = await newPlace().open();
      const items = [1, 2, 3].map((offset) => historyItem({ createdAtMs: NOON_MS + offset }));
      await addShown(storage.history, ...items);
      const [oldest, middle] = items.map((item) => item.historyItemId) as [string, string];
      await storage.history.hide('default', middle, NOON_MS);
      await storage.history.forget(middle);
      expect(await listIds(storage.history, { startAfter: middle })).toEqual([oldest]);
    });

    it('filters by voice, model, source and time, and by all of them together', async () => {
      await using storage = await newPlace().open();
      const wanted = historyItem({ voiceId: 'a', modelId: 'm', source: 'STS' });
      const others = [
        historyItem({ voiceId: 'b', modelId: 'm', source: 'STS' }),
        historyItem({ voiceId: 'a', modelId: 'n', source: 'STS' }),
        historyItem({ voiceId: 'a', modelId: 'm', source: 'TTS' }),
        historyItem({ voiceId: 'a', modelId: 'm', source: 'STS', createdAtMs: NOON_MS - 1 }),
        historyItem({ voiceId: 'a', modelId: 'm', source: 'STS', createdAtMs: NOON_MS + 1 }),
      ];
      await addShown(storage.history, wanted, ...others);
      const all = {
        voiceId: 'a',
        modelId: 'm',
        source: 'STS',
        createdFromMs: NOON_MS,
        createdBeforeMs: NOON_MS + 1,
      } as const;
      expect(await listIds(storage.history, all)).toEqual([wanted.historyItemId]);
      for (const name of Object.keys(all)) {
        const found = await listIds(storage.history, { ...all, [name]: undefined });
        expect(found.length, `without ${name}`).toBe(2);
      }
    });

    it('searches texts in any case and script, and takes wildcards as they are', async () => {
      await using storage = await newPlace().open();
      const texts = ['Straße 100%', 'ПРИВЕТ, Мир', 'snake_case \\ here', 'snakeXcase', "it's 1000"];
      const items = texts.map((text) => historyItem({ text }));
      await addShown(storage.history, ...items);
      const found = async (search: string) => {
        const ids = await listIds(storage.history, { search });
        return items.filter((item) => ids.includes(item.historyItemId)).map((item) => item.text);
      };
      expect(await found('STRAßE')).toEqual(['Straße 100%']);
      expect(await found('привет')).toEqual(['ПРИВЕТ, Мир']);
      expect(await found('100%')).toEqual(['Straße 100%']);
      expect(await found('snake_case')).toEqual(['snake_case \\ here']);
      expect(await found('\\')).toEqual(['snake_case \\ here']);
      expect(await found("'")).toEqual(["it's 1000"]);
      expect(await found('nothing like it')).toEqual([]);
    });

    it('keeps all of a text with a NUL, which no database can hold as it is', async () => {
      await using storage = await newPlace().open();
      const item = historyItem({ text: 'before\0after' });
      await addShown(storage.history, item);
      const found = await storage.history.find('default', item.historyItemId);
      expect(found?.text).toBe('before\ufffdafter');
      const search = 'BEFORE\0after';
      expect(await listIds(storage.history, { search })).toEqual([item.historyItemId]);
    });

    it('lists what is hidden since before a time, whatever the account, and forgets it', async () => {
      await using storage = await newPlace().open();
      const { history } = storage;
      const [half, deleted, shown, recent] = ['a', 'b', 'c', 'd'].map((accountId) =>
        historyItem({ accountId }),
      ) as [HistoryItem, HistoryItem, HistoryItem, HistoryItem];
      await history.add(half, NOON_MS);
      await addShown(history, deleted, shown);
      await history.hide('b', deleted.historyItemId, NOON_MS + 1);
      await history.add(recent, NOON_MS + 5);
      const ids = [half.historyItemId, deleted.historyItemId];
      expect(await history.listHidden(NOON_MS + 5, 10)).toEqual(ids);
      expect(await history.listHidden(NOON_MS + 5, 1)).toEqual(ids.slice(0, 1));
      for (const id of [...ids, shown.historyItemId]) await history.forget(id);
      expect(await history.listHidden(NOON_MS + 5, 10)).toEqual([]);
      expect(await listIds(history, { accountId: 'c' })).toEqual([shown.historyItemId]);
    });

    it('hides what was made before a time', async () => {
      await using storage = await newPlace().open();
      const { history } = storage;
      const items = [-2, -1, 0].map((offset) => historyItem({ createdAtMs: NOON_MS + offset }));
      await addShown(history, ...items);
      expect(await history.hideCreatedBefore(NOON_MS, NOON_MS)).toBe(2);
      expect(await history.hideCreatedBefore(NOON_MS, NOON_MS)).toBe(0);
      expect(await listIds(history)).toEqual([items[2]?.historyItemId]);
      expect((await history.listHidden(NOON_MS + 1, 10)).length).toBe(2);
    });
  });
}
