import { describe, expect, it, onTestFinished } from 'vitest';
import type { DictionaryRule } from '../../../../src/domain/dictionary.ts';
import {
  DictionaryRegistry,
  withoutRules,
  withRules,
} from '../../../../src/service/dictionaries/dictionary-registry.ts';
import { winningMatches } from '../../../../src/synthesis/text/dictionary/winning-matches.ts';
import { openStorageHere } from '../../../support/storage-here.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';
import { alias } from '../../synthesis/text/dictionary/rules.ts';

async function openShelf() {
  const storage = await openStorageHere({ dataDir: temporaryDir() });
  onTestFinished(() => storage.close());
  const registry = new DictionaryRegistry({ store: storage.dictionaries, now: () => 5 });
  const create = (...rules: readonly DictionaryRule[]) =>
    registry.create('default', { name: 'Names', description: null, rules });
  /** What the dictionaries make of a text. */
  const spoken = async (
    text: string,
    ...locators: Parameters<DictionaryRegistry['resolve']>[1]
  ) => {
    const matches = winningMatches(text, await registry.resolve('default', locators));
    return matches.map(({ rule }) => rule.type === 'alias' && rule.alias);
  };
  return { registry, create, spoken };
}

describe('DictionaryRegistry', () => {
  it('resolves locators to rules, the latest unless a version is named', async () => {
    const { registry, create, spoken } = await openShelf();
    const { dictionaryId, latestVersionId: first } = await create(alias('a', 'one'));
    expect(await spoken('a', { dictionaryId })).toEqual(['one']);
    const second = await registry.changeRules('default', dictionaryId, () => [alias('a', 'two')]);
    expect(await spoken('a', { dictionaryId })).toEqual(['two']);
    expect(await spoken('a', { dictionaryId, versionId: first })).toEqual(['one']);
    expect(await spoken('a', { dictionaryId, versionId: second.versionId })).toEqual(['two']);
  });

  it('keeps the order of the request', async () => {
    const { create, spoken } = await openShelf();
    const one = await create(alias('a', 'one'));
    const two = await create(alias('a', 'two'), alias('b', 'two'));
    expect(await spoken('a b', one, two)).toEqual(['one', 'two']);
    expect(await spoken('a b', two, one)).toEqual(['two', 'two']);
    expect(await spoken('a b')).toEqual([]);
  });

  it('refuses what is not the account’s, and what does not exist', async () => {
    const { registry, create } = await openShelf();
    const { dictionaryId } = await create(alias('a', 'one'));
    const param = 'pronunciation_dictionary_locators';
    for (const [account, locator] of [
      ['other', { dictionaryId }],
      ['default', { dictionaryId: '../../../etc' }],
      ['default', { dictionaryId, versionId: 'none' }],
    ] as const) {
      await expect(registry.resolve(account, [locator])).rejects.toMatchObject({
        code: 'not_found',
        param,
      });
    }
    const four = Array.from({ length: 4 }, () => ({ dictionaryId }));
    await expect(registry.resolve('default', four)).rejects.toMatchObject({
      code: 'invalid_input_message',
      param,
    });
  });

  it('lets a failure pass that nobody waits for', async () => {
    const { registry } = await openShelf();
    const failures: unknown[] = [];
    const note = (reason: unknown) => failures.push(reason);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    void registry.resolve('default', [{ dictionaryId: 'none' }]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(failures).toEqual([]);
  });

  it('loses none of many changes made at once', async () => {
    const { registry, create } = await openShelf();
    const { dictionaryId } = await create();
    const words = ['a', 'b', 'c'];
    await Promise.all(
      words.map((word) =>
        registry.changeRules('default', dictionaryId, (rules) =>
          withRules(rules, [alias(word, 'x')]),
        ),
      ),
    );
    const rules = await registry.rules('default', dictionaryId);
    expect(rules.map(({ stringToReplace }) => stringToReplace).sort()).toEqual(words);
  });

  it('keeps the newest twenty versions, and what a request has read', async () => {
    const { registry, create } = await openShelf();
    const { dictionaryId, latestVersionId: versionId } = await create(alias('a', 'first'));
    const [read] = await registry.resolve('default', [{ dictionaryId, versionId }]);
    for (let index = 0; index < 20; index++) {
      await registry.changeRules('default', dictionaryId, () => [alias('a', `d${index}`)]);
    }
    await expect(registry.rules('default', dictionaryId, versionId)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('the latest 20 are kept'),
    });
    expect(read).toBeDefined();
  });

  it('makes a hundred dictionaries, and more once one is deleted', async () => {
    const { registry, create } = await openShelf();
    const { dictionaryId } = await create();
    for (let count = 1; count < 100; count++) await create();
    await expect(create()).rejects.toMatchObject({ code: 'account_limit_reached' });
    await registry.remove('default', dictionaryId);
    await expect(registry.resolve('default', [{ dictionaryId }])).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(registry.remove('default', dictionaryId)).rejects.toMatchObject({
      code: 'not_found',
    });
    await create();
  });

  it('serves more dictionaries than it keeps ready', async () => {
    const { create, spoken } = await openShelf();
    const rules = Array.from({ length: 9_000 }, (_, index) => alias(`w${index}`, `s${index}`));
    const dictionaries = [];
    for (let index = 0; index < 7; index++) {
      dictionaries.push(await create(alias('a', `d${index}`), ...rules));
    }
    for (const [index, one] of [...dictionaries.entries(), ...dictionaries.entries()]) {
      expect(await spoken('a w8999', one)).toEqual([`d${index}`, 's8999']);
    }
  });
});

describe('rules of a dictionary', () => {
  const rules = [alias('a', '1'), alias('b', '2'), alias('A', '3')];

  it('are replaced in their place by rules for the same text', () => {
    const added = [alias('c', '5'), alias('a', '4'), alias('b', '6', { caseSensitive: false })];
    expect(withRules(rules, added)).toEqual([
      alias('a', '4'),
      alias('b', '2'),
      alias('A', '3'),
      alias('c', '5'),
      alias('b', '6', { caseSensitive: false }),
    ]);
  });

  it('are taken out as they are written', () => {
    expect(withoutRules(rules, ['a', 'none'])).toEqual(rules.slice(1));
  });
});
