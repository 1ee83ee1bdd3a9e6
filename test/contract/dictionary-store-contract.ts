import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Dictionary, DictionaryRule, DictionaryVersion } from '../../src/domain/dictionary.ts';
import type { DictionaryPage } from '../../src/service/storage/dictionary-store.ts';
import type { StoragePlace } from '../support/storages.ts';

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
        await before.dictionaries.add(added, versionOf(added));
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
      await storage.dictionaries.add(first, versionOf(first));
      const second = dictionary({ dictionaryId: first.dictionaryId });
      await expect(storage.dictionaries.add(second, versionOf(second))).rejects.toThrow(/already/);
      expect(await storage.dictionaries.find('default', first.dictionaryId)).toEqual(first);
    });

    it('adds a version only to the one it was made from', async () => {
      await using storage = await newPlace().open();
      const before = dictionary();
      await storage.dictionaries.add(before, versionOf(before));
      const next = versionOf(before, { versionId: randomUUID(), rules: [RULE, RULE] });
      const from = before.latestVersionId;
      const { dictionaries } = storage;
      expect(await dictionaries.addVersion('other', next, from)).toBe(false);
      expect(await dictionaries.addVersion('default', next, from)).toBe(true);
      const late = versionOf(before, { versionId: randomUUID(), rules: [] });
      expect(await dictionaries.addVersion('default', late, from)).toBe(false);
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
      await storage.dictionaries.add(before, versionOf(before));
      const added = await Promise.all(
        Array.from({ length: 8 }, () =>
          storage.dictionaries.addVersion(
            'default',
            versionOf(before, { versionId: randomUUID() }),
            before.latestVersionId,
          ),
        ),
      );
      expect(added.filter(Boolean)).toHaveLength(1);
    });

    it('changes the name and whether it is archived', async () => {
      await using storage = await newPlace().open();
      const before = dictionary();
      const { dictionaryId } = before;
      await storage.dictionaries.add(before, versionOf(before));
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
        await storage.dictionaries.add(one, versionOf(one));
      }
      const foreign = dictionary({ accountId: 'other' });
      await storage.dictionaries.add(foreign, versionOf(foreign));
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
