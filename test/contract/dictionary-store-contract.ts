import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Dictionary, DictionaryRule, DictionaryVersion } from '../../src/domain/dictionary.ts';
import type { DictionaryPage } from '../../src/service/storage/dictionary-store.ts';
import { NO_DICTIONARY_LIMITS, type StoragePlace } from '../support/storages.ts';

const RULE: DictionaryRule = {
  type: 'alias',
  stringToReplace: '"UN"; DROP TABLE dictionary; — ООН 🇺🇳',
  alias: "United Nations'",
  caseSensitive: false,
  wordBoundaries: true,
};
const FIRST_PAGE: DictionaryPage = {
  sort: 'created',
  direction: 'ascending',
  includeArchived: false,
  limit: 100,
};

function dictionary(given: Partial<Dictionary> = {}): Dictionary {
  return {
    dictionaryId: randomUUID(),
    accountId: 'default',
    name: 'Names',
    description: null,
    createdAtMs: 1_763_700_000_123,
    archivedAtMs: null,
    latestVersionId: randomUUID(),
    latestRuleCount: 1,
    ...given,
  };
}

function versionOf(
  { dictionaryId, latestVersionId, createdAtMs }: Dictionary,
  given: Partial<DictionaryVersion> = {},
): DictionaryVersion {
  return { versionId: latestVersionId, dictionaryId, rules: [RULE], createdAtMs, ...given };
}

/** What every adapter of `DictionaryStore` must do. */
export function dictionaryStoreContract(technology: string, newPlace: () => StoragePlace): void {
  describe(`dictionary store on ${technology}`, () => {
    it('returns exactly what was added, over a restart', async () => {
      const place = newPlace();
      const added = dictionary();
      {
        await using before = await place.open();
        await before.dictionaries.add(added, versionOf(added), NO_DICTIONARY_LIMITS);
      }
      await using after = await place.open();
      const { dictionaryId, latestVersionId } = added;
      expect(await after.dictionaries.find('default', dictionaryId)).toEqual(added);
      expect(await after.dictionaries.findVersion(dictionaryId, latestVersionId)).toEqual(
        versionOf(added),
      );
      expect(await after.dictionaries.find('other', dictionaryId)).toBeUndefined();
      expect(await after.dictionaries.findVersion(dictionaryId, 'other')).toBeUndefined();
      expect(await after.dictionaries.findVersion('other', latestVersionId)).toBeUndefined();
    });

    it('refuses a second dictionary with the same id', async () => {
      await using storage = await newPlace().open();
      const first = dictionary();
      await storage.dictionaries.add(first, versionOf(first), NO_DICTIONARY_LIMITS);
      const second = dictionary({ dictionaryId: first.dictionaryId });
      await expect(
        storage.dictionaries.add(second, versionOf(second), NO_DICTIONARY_LIMITS),
      ).rejects.toThrow(/already/);
      expect(await storage.dictionaries.find('default', first.dictionaryId)).toEqual(first);
    });

    it('adds a version only to the one it was made from', async () => {
      await using storage = await newPlace().open();
      const before = dictionary();
      await storage.dictionaries.add(before, versionOf(before), NO_DICTIONARY_LIMITS);
      const next = versionOf(before, { versionId: randomUUID(), rules: [RULE, RULE] });
      const from = before.latestVersionId;
      const { dictionaries } = storage;
      expect(await dictionaries.addVersion('other', next, from, NO_DICTIONARY_LIMITS)).toBe(
        'changed-meanwhile',
      );
      expect(await dictionaries.addVersion('default', next, from, NO_DICTIONARY_LIMITS)).toBe(
        'added',
      );
      const late = versionOf(before, { versionId: randomUUID(), rules: [] });
      expect(await dictionaries.addVersion('default', late, from, NO_DICTIONARY_LIMITS)).toBe(
        'changed-meanwhile',
      );
      expect(await dictionaries.find('default', before.dictionaryId)).toEqual({
        ...before,
        latestVersionId: next.versionId,
        latestRuleCount: 2,
      });
      expect(await dictionaries.findVersion(before.dictionaryId, from)).toEqual(versionOf(before));
      expect(await dictionaries.findVersion(before.dictionaryId, late.versionId)).toBeUndefined();
    });

    it('lets only one of many versions made from the same one in', async () => {
      await using storage = await newPlace().open();
      const before = dictionary();
      await storage.dictionaries.add(before, versionOf(before), NO_DICTIONARY_LIMITS);
      const added = await Promise.all(
        Array.from({ length: 8 }, () =>
          storage.dictionaries.addVersion(
            'default',
            versionOf(before, { versionId: randomUUID() }),
            before.latestVersionId,
            NO_DICTIONARY_LIMITS,
          ),
        ),
      );
      expect(added.filter((addition) => addition === 'added')).toHaveLength(1);
    });

    it('adds no more dictionaries than the account may have, however many add at once', async () => {
      await using storage = await newPlace().open();
      const limits = { ...NO_DICTIONARY_LIMITS, dictionaries: 3 };
      const additions = await Promise.all(
        Array.from({ length: 12 }, (_, index) => {
          const added = dictionary({ archivedAtMs: index % 3 === 0 ? 7 : null });
          return storage.dictionaries.add(added, versionOf(added), limits);
        }),
      );
      expect(additions.filter((addition) => addition === 'added')).toHaveLength(3);
      expect(additions.filter((addition) => addition === 'too-many-dictionaries')).toHaveLength(9);
      const foreign = dictionary({ accountId: 'other' });
      expect(await storage.dictionaries.add(foreign, versionOf(foreign), limits)).toBe('added');
    });

    it('keeps as many bytes of rules as the account may have, over all versions', async () => {
      await using storage = await newPlace().open();
      const { dictionaries } = storage;
      const bytes = Buffer.byteLength(JSON.stringify([RULE]));
      const limits = { ...NO_DICTIONARY_LIMITS, totalBytes: 3 * bytes };
      const first = dictionary();
      expect(await dictionaries.add(first, versionOf(first), limits)).toBe('added');
      const next = versionOf(first, { versionId: randomUUID() });
      const from = first.latestVersionId;
      expect(await dictionaries.addVersion('default', next, from, limits)).toBe('added');
      const second = dictionary();
      expect(await dictionaries.add(second, versionOf(second), limits)).toBe('added');
      const last = versionOf(first, { versionId: randomUUID() });
      const { versionId } = next;
      expect(await dictionaries.addVersion('default', last, versionId, limits)).toBe(
        'too-many-bytes',
      );
      expect(await dictionaries.find('default', first.dictionaryId)).toMatchObject({
        latestVersionId: versionId,
      });
      const third = dictionary();
      expect(await dictionaries.add(third, versionOf(third), limits)).toBe('too-many-bytes');
      expect(await dictionaries.find('default', third.dictionaryId)).toBeUndefined();
      const one = { ...limits, versions: 1 };
      expect(await dictionaries.addVersion('default', last, versionId, one)).toBe('added');
    });

    it.each([
      ['as many versions as one may have', { versions: 3 }],
      [
        'as many bytes as one may have',
        { versionBytes: 3 * Buffer.byteLength(JSON.stringify([RULE])) },
      ],
    ])('keeps the newest, %s', async (_, given) => {
      await using storage = await newPlace().open();
      const { dictionaries } = storage;
      const limits = { ...NO_DICTIONARY_LIMITS, ...given };
      const made = dictionary({ createdAtMs: 0 });
      await dictionaries.add(made, versionOf(made), limits);
      const ids = [made.latestVersionId];
      for (let createdAtMs = 1; createdAtMs <= 5; createdAtMs++) {
        const next = versionOf(made, { versionId: randomUUID(), createdAtMs });
        await dictionaries.addVersion('default', next, ids.at(-1) ?? '', limits);
        ids.push(next.versionId);
      }
      const kept = await Promise.all(
        ids.map((id) => dictionaries.findVersion(made.dictionaryId, id)),
      );
      expect(kept.map((version) => version !== undefined)).toEqual([
        ...[false, false, false],
        ...[true, true, true],
      ]);
    });

    it('removes a dictionary once, with its versions, and only for its own account', async () => {
      await using storage = await newPlace().open();
      const { dictionaries } = storage;
      const gone = dictionary();
      await dictionaries.add(gone, versionOf(gone), NO_DICTIONARY_LIMITS);
      const { dictionaryId, latestVersionId } = gone;
      expect(await dictionaries.remove('other', dictionaryId)).toBe(false);
      expect(await dictionaries.remove('default', dictionaryId)).toBe(true);
      expect(await dictionaries.remove('default', dictionaryId)).toBe(false);
      expect(await dictionaries.find('default', dictionaryId)).toBeUndefined();
      expect(await dictionaries.findVersion(dictionaryId, latestVersionId)).toBeUndefined();
    });

    it('changes the name and whether it is archived', async () => {
      await using storage = await newPlace().open();
      const before = dictionary();
      const { dictionaryId } = before;
      await storage.dictionaries.add(before, versionOf(before), NO_DICTIONARY_LIMITS);
      const change = (given: object) => storage.dictionaries.change('default', dictionaryId, given);
      expect(await change({})).toBe(true);
      expect(await storage.dictionaries.find('default', dictionaryId)).toEqual(before);
      expect(await change({ name: 'New', archivedAtMs: 7 })).toBe(true);
      expect(await storage.dictionaries.list('default', FIRST_PAGE)).toEqual([]);
      const all = await storage.dictionaries.list('default', {
        ...FIRST_PAGE,
        includeArchived: true,
      });
      expect(all).toEqual([{ ...before, name: 'New', archivedAtMs: 7 }]);
      await change({ archivedAtMs: null });
      expect(await storage.dictionaries.list('default', FIRST_PAGE)).toHaveLength(1);
      expect(await storage.dictionaries.change('other', dictionaryId, { name: 'x' })).toBe(false);
    });

    it.each([
      ['created', 'ascending'],
      ['created', 'descending'],
      ['name', 'ascending'],
      ['name', 'descending'],
    ] as const)('pages by %s, %s, over equal ones too', async (sort, direction) => {
      await using storage = await newPlace().open();
      for (let index = 0; index < 11; index++) {
        const one = dictionary({ createdAtMs: index % 3, name: `name ${index % 4}` });
        await storage.dictionaries.add(one, versionOf(one), NO_DICTIONARY_LIMITS);
      }
      const foreign = dictionary({ accountId: 'other' });
      await storage.dictionaries.add(foreign, versionOf(foreign), NO_DICTIONARY_LIMITS);
      const page = { ...FIRST_PAGE, sort, direction };
      const whole = await storage.dictionaries.list('default', page);
      expect(whole).toHaveLength(11);
      const keys = whole.map((one) => (sort === 'name' ? one.name : one.createdAtMs));
      expect(direction === 'ascending' ? keys : keys.toReversed()).toEqual(keys.toSorted());
      const paged: Dictionary[] = [];
      for (let more = true; more; ) {
        const after = paged.at(-1);
        const next = await storage.dictionaries.list('default', { ...page, after, limit: 2 });
        paged.push(...next);
        more = next.length === 2;
      }
      expect(paged).toEqual(whole);
    });
  });
}
