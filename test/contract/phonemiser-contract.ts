import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterBounds } from '../../src/synthesis/text/grapheme-clusters.ts';
import type { Phonemiser } from '../../src/synthesis/text/phonemiser.ts';
import type { Pronunciation } from '../../src/synthesis/text/pronunciation.ts';

const signal = new AbortController().signal;

/** Rows of language, text and symbols, which stand composed in the file. */
function fixture(name: string): ReadonlyArray<readonly [string, string, string]> {
  const rows = readFileSync(
    new URL(`../fixtures/text/phonemes-${name}.tsv`, import.meta.url),
    'utf8',
  );
  return rows
    .trim()
    .split('\n')
    .map((row) => {
      const [language = '', text = '', symbols = ''] = row.split('\t');
      return [language, text, symbols.normalize('NFD')];
    });
}

/** The spoken words, each with the stretch of text that it voices, trimmed. */
function wordsOf({
  spoken,
  symbols,
  starts,
  ends,
}: Pronunciation): Array<readonly [string, string]> {
  const words: Array<readonly [string, string]> = [];
  let first = 0;
  for (let index = 0; index <= symbols.length; index++) {
    if (index < symbols.length && symbols[index] !== ' ') continue;
    const stretch = spoken.slice(starts[first], ends[index - 1]);
    words.push([symbols.slice(first, index).join(''), stretch.trim()]);
    first = index + 1;
  }
  return words;
}

function expectOrderedCover({ spoken, symbols, starts, ends }: Pronunciation): void {
  expect([starts.length, ends.length]).toEqual([symbols.length, symbols.length]);
  for (const symbol of symbols)
    expect([[...symbol].length, symbol]).toEqual([1, symbol.normalize('NFD')]);
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

/** What every phonemiser must do that reads for Piper's voices. */
export function phonemiserContract(name: string, open: () => Phonemiser): void {
  describe(`phonemiser contract: ${name}`, () => {
    let phonemiser: Phonemiser;
    beforeAll(() => {
      phonemiser = open();
    });
    afterAll(() => phonemiser.close());

    const pronounce = (text: string, language = 'en-us') =>
      phonemiser.pronounce(text, language, signal);

    describe.each(['en', 'pt', 'world'])(
      'gives the symbols that Piper is trained on (%s)',
      (file) => {
        it.each(fixture(file))('%s: %s', async (language, text, symbols) => {
          const pronunciation = await pronounce(text, language);
          expect(pronunciation.symbols.join('')).toBe(symbols);
          expect(pronunciation.spoken).toBe(text);
          expectOrderedCover(pronunciation);
        });
      },
    );

    it('knows which word is voiced by what', async () => {
      const text = 'She put 42 of the “3rd” e-mails, out of 1,000, in NASA box — yes.';
      expect(wordsOf(await pronounce(text))).toEqual([
        ['ʃiː', 'She'],
        ['pˌʊt', 'put'],
        ['fˈɔːɹɾi', '42'],
        ['tˈuː', '2'],
        ['ʌvðə', 'of the'],
        ['θˈɜːd', '3rd'],
        ['ˈiːmˈeɪlz,', 'e-mails,'],
        ['ˌaʊɾəv', 'out of'],
        ['wˈʌn', '1,'],
        ['θˈaʊzənd,', ',000,'],
        ['ɪn', 'in'],
        ['nˈæsɐ', 'NASA'],
        ['bˈɑːks;', 'box —'],
        ['jˈɛs.', 'yes.'],
      ]);
    });

    it.each(['', ' ', '…', '?!', '😀👍🏽', '— “”', '\0\u0001', '\ud83d', '\u200f'])(
      'says nothing for %j',
      async (text) => {
        expect((await pronounce(text)).symbols).toEqual([]);
      },
    );

    it('covers any text in order, and never splits a cluster', async () => {
      const word = fc.constantFrom(
        'the',
        'of',
        '42',
        'NASA',
        "isn't",
        'cafe\u0301',
        '👨‍👩‍👧',
        'well-known',
        '$5',
        '3:15',
        '你好',
        'мир',
      );
      const joint = fc.constantFrom(' ', ', ', '. ', '… ', ' — ', '\n\n', '。', '', ' (', '" ');
      const sentence = fc
        .array(fc.tuple(word, joint), { maxLength: 8 })
        .map((parts) => parts.flat().join(''));
      const text = fc.oneof(
        sentence,
        fc.string({ unit: 'grapheme', maxLength: 30 }),
        fc.string({ unit: 'binary' }),
      );
      await fc.assert(
        fc.asyncProperty(text, fc.constantFrom('eo', 'en-us', 'pt-br'), async (text, language) => {
          const pronunciation = await pronounce(text, language).catch((thrown) => {
            expect(thrown).toMatchObject({ code: 'unsupported_script' });
          });
          if (pronunciation) expectOrderedCover(pronunciation);
        }),
        { numRuns: 300 },
      );
    });

    it('answers each of many callers, as it would answer one', async () => {
      const rows = [...fixture('en'), ...fixture('world')];
      const shuffled = [...rows, ...rows.toReversed()];
      const answers = await Promise.all(
        shuffled.map(([language, text]) => pronounce(text, language)),
      );
      expect(answers.map((answer) => answer.symbols.join(''))).toEqual(
        shuffled.map(([, , symbols]) => symbols),
      );
    });

    it.each([
      ['Cyrillic', 'Владимир', 'vlɑdˈimiɹ'],
      ['Ukrainian', 'Київ', 'kˈɪjiːv'],
      ['Greek', 'Αθήνα', 'ɑθˈinɑ'],
      ['Arabic', 'مرحبا', 'mɹhbˈɑː'],
      ['Hebrew', 'שלום', 'ʃɑlˈɔm'],
      ['Devanagari', 'नमस्ते', 'nəmˈʌstɛː'],
      ['Han', '你好', 'nihˈɑu'],
      ['kana', 'カタカナ', 'kˌɑtɑkˈɑnɑ'],
      ['Hangul', '안녕', 'ˈɐnnjʌŋ'],
      ['Thai', 'สวัสดี', 'swˈɑːsdi'],
      ['Tamil', 'வணக்கம்', 'vˈʌnʌkkʌm'],
      ['a Greek letter', 'λ', 'lˈæmdə'],
      ['digits of another script', '٣', 'θɹˈiː'],
    ])('reads a word in %s within its own, with its own sounds', async (_script, word, sounds) => {
      const pronunciation = await pronounce(`Call ${word} now.`);
      expectOrderedCover(pronunciation);
      expect(wordsOf(pronunciation)).toEqual([
        ['kˈɔːl', 'Call'],
        [sounds, word],
        ['nˈaʊ.', 'now.'],
      ]);
    });

    it('reads a text that is foreign altogether', async () => {
      const { symbols } = await pronounce('Привет, как дела?');
      expect(symbols.join('')).toMatch(/^p.*v.*, k.*\?$/u);
      expectOrderedCover(await pronounce('Ελλάδα и Россия 日本 or ไทย'));
    });

    it('refuses letters of which it can say none, and nothing else', async () => {
      await expect(pronounce('𒀀𒀁')).rejects.toMatchObject({ code: 'unsupported_script' });
      for (const text of ['…', '👩🏽‍🚀', '\u0301\u0301', '\u202e\u2066', '\u200d', '']) {
        expect((await pronounce(text)).symbols.join('').trim()).toBe('');
      }
      expect((await pronounce('𒀀 is here.')).symbols.length).toBeGreaterThan(5);
    });

    it.each([
      ['piled marks', `a${'\u0301'.repeat(5000)}b`],
      ['bidirectional controls', '\u202eabc\u202c \u2066def\u2069'.repeat(50)],
      ['joiners', `क\u200d${'ष\u200d'.repeat(300)} 👩\u200d👩\u200d👧`],
      ['digits', '7'.repeat(10_000)],
      ['mixed numerals', 'Ⅷ ٣4५ ६七 ½ ⅷ 𝟘 ①'.repeat(20)],
      ['scripts by turns', 'aяaαaאaकa你'.repeat(300)],
    ])('copes with hostile text: %s', { timeout: 60_000 }, async (_what, text) => {
      expectOrderedCover(await pronounce(text));
    });

    it.each(['xx-yy', '', '../en', 'en us', 'en+max'])(
      'names the language %j that does not exist',
      async (language) => {
        await expect(pronounce('Hello.', language)).rejects.toMatchObject({
          code: 'voice_file_corrupt',
          message: expect.stringContaining(`"${language}"`),
        });
        expect((await pronounce('Hi.')).symbols.join('')).toBe('hˈaɪ.');
      },
    );

    it('stops with its signal, before and during the work', async () => {
      const stopped = AbortSignal.abort(new Error('stop'));
      await expect(phonemiser.pronounce('Hi.', 'en-us', stopped)).rejects.toThrow('stop');
      const control = new AbortController();
      const long = phonemiser.pronounce('One more, '.repeat(2000), 'en-us', control.signal);
      control.abort(new Error('stop'));
      await expect(long).rejects.toThrow('stop');
      expect((await pronounce('Hi.')).symbols.join('')).toBe('hˈaɪ.');
    });

    it.each([
      ['letters', 'a'],
      ['digits', '1 '],
      ['dots', 'a.'],
      ['clauses', 'of the, '],
      ['quotes', '"'],
      ['marks', 'e\u0301\u0301\u0301'],
      ['pictures', '👨‍👩‍👧'],
      ['half surrogates', '\ud83d'],
    ])('gets through 64 KiB of %s', async (_, unit) => {
      const text = unit.repeat(65_536 / unit.length);
      const pronunciation = await pronounce(text);
      expect(pronunciation.symbols.length).toBe(pronunciation.ends.length);
      expect(pronunciation.ends.at(-1) ?? text.length).toBe(text.length);
    });

    it('refuses work once it is closed', async () => {
      const closing = open();
      const pending = closing.pronounce('Hi.', 'en-us', signal);
      await Promise.all([
        expect(pending).rejects.toMatchObject({ code: 'shutting_down' }),
        closing.close(),
      ]);
      await expect(closing.pronounce('Hi.', 'en-us', signal)).rejects.toMatchObject({
        code: 'shutting_down',
      });
    });
  });
}
