import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { DictionaryRule } from '../../../../../src/domain/dictionary.ts';
import { EspeakPhonemiser } from '../../../../../src/synthesis/phonemes/espeak-phonemiser.ts';
import { RuleIndex } from '../../../../../src/synthesis/text/dictionary/rule-index.ts';
import { FrontEnd } from '../../../../../src/synthesis/text/front-end.ts';
import { clusterBounds } from '../../../../../src/synthesis/text/grapheme-clusters.ts';
import { normaliserFor } from '../../../../../src/synthesis/text/normaliser/registry.ts';
import type { Pronunciation } from '../../../../../src/synthesis/text/pronunciation.ts';
import { alias, phoneme } from './rules.ts';

const phonemiser = new EspeakPhonemiser();
const frontEnd = new FrontEnd(phonemiser, normaliserFor);
const english = { language: 'en', espeakVoice: 'en-us', normalise: true };
const signal = new AbortController().signal;
afterAll(() => phonemiser.close());

async function read(text: string, ...rules: readonly DictionaryRule[]) {
  const dictionaries = [new RuleIndex(rules)];
  const { map, pronunciation } = await frontEnd.prepare(text, { ...english, dictionaries }, signal);
  return { map, pronunciation, symbols: pronunciation.symbols.join('') };
}

/** What a stretch of the spoken text sounds like, by the stretches that symbols say they voice. */
function soundOf({ spoken, symbols, starts }: Pronunciation, word: string): string {
  const start = spoken.indexOf(word);
  const end = start + word.length;
  return symbols
    .filter((_, index) => start <= (starts[index] ?? 0) && (starts[index] ?? 0) < end)
    .join('')
    .trim();
}

function expectCover({ spoken, symbols, starts, ends }: Pronunciation): void {
  expect([starts.length, ends.length]).toEqual([symbols.length, symbols.length]);
  if (symbols.length === 0) return;
  const bounds = new Set(clusterBounds(spoken));
  expect([starts[0], ends.at(-1)]).toEqual([0, spoken.length]);
  starts.forEach((start, index) => {
    const end = ends[index] ?? -1;
    expect(end).toBeGreaterThan(start);
    expect([bounds.has(start), bounds.has(end)]).toEqual([true, true]);
    expect(start).toBeGreaterThanOrEqual(starts[index - 1] ?? 0);
    expect(end).toBeGreaterThanOrEqual(ends[index - 1] ?? 0);
    expect(start).toBeLessThanOrEqual(ends[index - 1] ?? 0);
  });
}

describe('alias rules', () => {
  it('put their words in before the normaliser, and alignment speaks of the original', async () => {
    const { map } = await read('The UN owes $5.', alias('UN', 'group of 193 states'));
    expect(map.spoken).toBe('The group of one hundred ninety-three states owes five dollars.');
    const [segment] = map.segments.filter(({ originalStart }) => originalStart === 4);
    expect(map.original.slice(segment?.originalStart, segment?.originalEnd)).toBe('UN');
    expect(map.spoken.slice(segment?.spokenStart, segment?.spokenEnd)).toContain('ninety-three');
  });

  it('are not applied to what a rule has put in', async () => {
    const { map } = await read('A b', alias('A', 'b'), alias('b', 'A'));
    expect(map.spoken).toBe('b A');
  });
});

describe('phoneme rules', () => {
  it('change the sound of their words, and of no other', async () => {
    const plain = await read('I say tomato, you say potato.');
    const ruled = await read('I say tomato, you say potato.', phoneme('tomato', 'təˈmɑːtəʊ'));
    expect(soundOf(ruled.pronunciation, 'tomato')).toBe('təmˈɑːtəʊ');
    const replaced = plain.symbols.replace(soundOf(plain.pronunciation, 'tomato'), 'təmˈɑːtəʊ');
    expect(ruled.symbols).toBe(replaced);
    expectCover(ruled.pronunciation);
  });

  it('take CMU ARPABET too', async () => {
    const rule = phoneme('GIF', 'JH IH1 F', { alphabet: 'cmu-arpabet' });
    expect((await read('A GIF.', rule)).symbols).toMatch(/ dʒˈɪf\.$/u);
  });

  it('rule over what the normaliser would make of a word', async () => {
    const { map, pronunciation, symbols } = await read(
      'Ask Dr. Api, the SQL expert.',
      phoneme('SQL', 'ˈsiːkwəl'),
    );
    expect(map.spoken).toContain('Doctor Api');
    expect(symbols).toContain(' sˈiːkwəl ˈɛkspɜːt.');
    expectCover(pronunciation);
  });

  it('reach inside what the normaliser reads as a whole', async () => {
    const { map, symbols, pronunciation } = await read(
      'It is $5 in St. Paul.',
      phoneme('5', 'fiːf'),
    );
    expect(map.spoken).toContain('5');
    expect(symbols).toContain('fiːf');
    expect(map.spoken).toContain('Saint Paul');
    expectCover(pronunciation);
  });

  it('speak what has no sound of its own', async () => {
    const phone = phoneme('☎', 'ɹɪŋ', { wordBoundaries: false });
    expect((await read('Call ☎ now.', phone)).symbols).toBe('kˈɔːl ɹɪŋ nˈaʊ.');
    expect((await read('☎', phone)).symbols).toBe('ɹɪŋ');
    expectCover((await read('Call☎now, ☎!', phone)).pronunciation);
  });

  it('part words that the phonemiser reads as one', async () => {
    const { pronunciation, symbols } = await read('Out of the box.', phoneme('the', 'ziː'));
    expect(symbols).toMatch(/ziː ?bˈɑːks\.$/u);
    expectCover(pronunciation);
  });

  it('mix with alias rules', async () => {
    const { symbols, map } = await read(
      'Acme Ltd, I say, Acme.',
      alias('Ltd', 'Limited'),
      phoneme('Acme', 'ˈækmiː'),
    );
    expect(map.spoken).toBe('Acme Limited, I say, Acme.');
    expect(symbols.match(/ˈækmiː/gu)).toHaveLength(2);
  });
});

describe('any rules', () => {
  const word = fc.constantFrom(
    'the',
    'of',
    'SQL',
    '$5',
    'e\u0301',
    'Dr.',
    '☎',
    '北京',
    '3:15',
    'a',
  );
  const text = fc
    .array(fc.tuple(word, fc.constantFrom(' ', ', ', '. ', '', '\n')), { maxLength: 8 })
    .map((parts) => parts.flat().join(''));
  const options = fc.record({ wordBoundaries: fc.boolean(), caseSensitive: fc.boolean() });
  const rule = fc
    .tuple(fc.constantFrom('the', 'of', 'SQL', '5', 'é', 'Dr', '☎', '15', 'a', '. '), options)
    .chain(([string, options]) =>
      fc.constantFrom(alias(string, 'so 7 it is', options), phoneme(string, 'ziː ˈza', options)),
    );

  it('give symbols that cover the spoken text in order, and a map that covers both texts', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.array(rule, { maxLength: 4 }), async (text, rules) => {
        const dictionaries = [new RuleIndex(rules)];
        const style = { language: 'en', espeakVoice: 'eo', normalise: true, dictionaries };
        const { map, pronunciation } = await frontEnd.prepare(text, style, signal);
        expectCover(pronunciation);
        expect(
          map.segments
            .map(({ originalStart, originalEnd }) => text.slice(originalStart, originalEnd))
            .join(''),
        ).toBe(text);
        expect(
          map.segments
            .map(({ spokenStart, spokenEnd }) => map.spoken.slice(spokenStart, spokenEnd))
            .join(''),
        ).toBe(map.spoken);
        expect(map.spoken).not.toMatch(/\p{Co}/u);
      }),
      { numRuns: 300 },
    );
  });

  it('change nothing when none applies', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (text) => {
        const dictionaries = [new RuleIndex([phoneme('zebra', 'ziː'), alias('zoo', 'x')])];
        const ruled = await frontEnd.prepare(
          text,
          { ...english, espeakVoice: 'eo', dictionaries },
          signal,
        );
        expect(ruled).toEqual(
          await frontEnd.prepare(text, { ...english, espeakVoice: 'eo' }, signal),
        );
      }),
      { numRuns: 50 },
    );
  });
});
