import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DictionaryRule } from '../../../../../src/domain/dictionary.ts';
import { RuleIndex } from '../../../../../src/synthesis/text/dictionary/rule-index.ts';
import { winningMatches } from '../../../../../src/synthesis/text/dictionary/winning-matches.ts';
import { alias } from './rules.ts';

function matched(text: string, ...dictionaries: readonly (readonly DictionaryRule[])[]): string[] {
  const indexes = dictionaries.map((rules) => new RuleIndex(rules));
  return winningMatches(text, indexes).map(({ start, end }) => text.slice(start, end));
}

const anywhere = { wordBoundaries: false };
const anyCase = { caseSensitive: false };

describe('whole words', () => {
  it.each([
    ['UN', 'the UN, (UN) “UN” UN’s UN-led un UNO', 5],
    ['art', 'art party arté art\u0301 art_1 2art art', 2],
    ['C++', 'C++ C++, C++x xC++', 3],
    ['.NET', 'a.NET .NET', 2],
    ['北京', '我住在北京市', 1],
    ['สวัสดี', 'สวัสดีครับ', 1],
    ['мир', 'мир мира', 1],
    ['😀', 'a😀b 😀', 2],
  ])('%s in %j', (word, text, count) => {
    expect(matched(text, [alias(word, 'x')])).toEqual(Array(count).fill(word));
  });

  it('do not matter to rules that say so, but characters stay whole', () => {
    expect(matched('start art\u0301', [alias('art', 'x', anywhere)])).toEqual(['art']);
    expect(matched('👨‍👩‍👧 👩', [alias('👩', 'x', anywhere)])).toEqual(['👩']);
    expect(matched('\ud83d\ude00', [alias('\ude00', 'x', anywhere)])).toEqual([]);
  });
});

describe('letters', () => {
  it.each([
    ['case', 'Sql SQL sql', 'sql', 3],
    ['case beyond ASCII', 'ÉCOLE école', 'École', 2],
    ['both small sigmas', 'ΟΔΟΣ οδος', 'οδος', 2],
    ['case of letters that grow', 'İstanbul İSTANBUL', 'İstanbul', 2],
    ['how a letter is composed', 'cafe\u0301 café', 'café', 2],
  ])('match whatever the %s, when a rule says so', (_, text, word, count) => {
    expect(matched(text, [alias(word, 'x', anyCase)])).toHaveLength(count);
  });

  it('match in their own case otherwise', () => {
    expect(matched('Sql SQL sql', [alias('SQL', 'x')])).toEqual(['SQL']);
  });
});

describe('where rules contend', () => {
  it('the first dictionary wins, wherever its match begins', () => {
    const york = [alias('York', 'x')];
    const newYork = [alias('New York', 'x')];
    expect(matched('New York', york, newYork)).toEqual(['York']);
    expect(matched('New York', newYork, york)).toEqual(['New York']);
  });

  it('the first rule of a dictionary wins', () => {
    const rules = [alias('New York', 'x'), alias('York', 'y')];
    expect(matched('York, New York', rules)).toEqual(['York', 'New York']);
    expect(matched('York, New York', rules.toReversed())).toEqual(['York', 'York']);
  });

  it('the earlier place of one rule wins', () => {
    expect(matched('aaaaa', [alias('aa', 'x', anywhere)])).toEqual(['aa', 'aa']);
  });

  it('a rule that matches no other way still gets what is left', () => {
    const rules = [alias('ab', 'x', anywhere), alias('a', 'y', anywhere)];
    expect(matched('aabab', rules)).toEqual(['a', 'ab', 'ab']);
  });
});

describe('any rules and any text', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', 'é', 'e\u0301', '😀', '-'),
    maxLength: 40,
  });
  const rule = fc
    .record({
      word: fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é'), minLength: 1, maxLength: 3 }),
      wordBoundaries: fc.boolean(),
      caseSensitive: fc.boolean(),
    })
    .map(({ word, ...options }) => alias(word, 'x', options));
  const dictionaries = fc.array(fc.array(rule, { maxLength: 8 }), { maxLength: 3 });

  it('give matches in order, without overlap, and leave no undisputed match out', () => {
    fc.assert(
      fc.property(text, dictionaries, (text, dictionaries) => {
        const indexes = dictionaries.map((rules) => new RuleIndex(rules));
        const winners = winningMatches(text, indexes);
        winners.forEach(({ start }, index) => {
          expect(start).toBeGreaterThanOrEqual(winners[index - 1]?.end ?? 0);
        });
        const whole = new Set(
          Array.from(new Intl.Segmenter().segment(text), ({ index }) => index).concat(text.length),
        );
        for (const { start, end } of indexes.flatMap((index) => index.matchesIn(text))) {
          if (!whole.has(start) || !whole.has(end)) continue;
          expect(winners.some((winner) => winner.start < end && start < winner.end)).toBe(true);
        }
      }),
    );
  });

  it('are looked for a bounded number of times, however they contend', () => {
    const rules = Array.from({ length: 100 }, (_, index) =>
      alias('a'.repeat(100 - index), 'x', anywhere),
    );
    const matches = new RuleIndex(rules).matchesIn('a'.repeat(4_000));
    expect(matches.length).toBeGreaterThan(4_000);
    expect(matches.length).toBeLessThan(17_000);
  });

  it('never let a chunk grow past all measure', () => {
    const flood = [alias('a', 'word '.repeat(20), anywhere)];
    expect(matched('a'.repeat(400), flood)).toHaveLength(10);
  });
});
