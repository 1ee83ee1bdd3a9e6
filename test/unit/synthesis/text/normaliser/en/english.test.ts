import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  english,
  englishRules,
} from '../../../../../../src/synthesis/text/normaliser/en/english.ts';
import { ruleNormaliser } from '../../../../../../src/synthesis/text/normaliser/scanner.ts';
import type { TextMap } from '../../../../../../src/synthesis/text/pronunciation.ts';

const FIXTURES = new URL('../../../../../fixtures/text/', import.meta.url);
const CHUNK_BYTES = 65_536;

/** Any UTF-16 units, lone surrogates included, with what the rules look for mixed in. */
const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
      fc.constantFrom(
        ...[
          '$',
          '42.50',
          '3rd',
          'March ',
          ':15',
          ' pm',
          '-',
          '/',
          '@',
          '.com',
          'St. ',
          '(555) ',
          '1',
          '0',
          ' ',
          'kg',
          '%',
          'A',
          '👩‍👧',
          '’',
          'Dr. ',
        ],
      ),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

/** "it is 1,234 units" in every rule's reach: words and figures as people write them. */
const figure = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 30n }).map((value) => value.toLocaleString('en-US')),
  fc
    .tuple(fc.nat(99_999), fc.nat(99))
    .map(([whole, cents]) => `$${whole}.${String(cents).padStart(2, '0')}`),
  fc
    .tuple(fc.nat(23), fc.nat(59))
    .map(([hour, minute]) => `${hour}:${String(minute).padStart(2, '0')}`),
  fc
    .tuple(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1900, max: 2099 }),
    )
    .map((date) => date.join('/')),
  fc.nat(100).map((percent) => `${percent}%`),
);

function expectFullCover({ original, spoken, segments }: TextMap): void {
  let originalEnd = 0;
  let spokenEnd = 0;
  for (const segment of segments) {
    expect(segment.originalStart).toBe(originalEnd);
    expect(segment.spokenStart).toBe(spokenEnd);
    expect(segment.originalEnd).toBeGreaterThan(segment.originalStart);
    expect(segment.spokenEnd).toBeGreaterThanOrEqual(segment.spokenStart);
    originalEnd = segment.originalEnd;
    spokenEnd = segment.spokenEnd;
  }
  expect([originalEnd, spokenEnd]).toEqual([original.length, spoken.length]);
}

const pairsOf = ({ original, spoken, segments }: TextMap) =>
  segments.map((segment) => [
    original.slice(segment.originalStart, segment.originalEnd),
    spoken.slice(segment.spokenStart, segment.spokenEnd),
  ]);

describe.each(readdirSync(FIXTURES).filter((name) => name.startsWith('en-')))('%s', (name) => {
  const rows = readFileSync(new URL(name, FIXTURES), 'utf8')
    .split('\n')
    .filter((line) => line !== '');

  it.each(rows)('%s', (row) => {
    const [original = '', spoken = original] = row.split('\t');
    expect(english.normalise(original).spoken).toBe(spoken);
    expect(english.normalise(spoken).spoken, 'spoken text, normalised again').toBe(spoken);
  });
});

describe('segments', () => {
  it('map each written stretch to its words, and keep the text between', () => {
    const map = english.normalise(
      'Your appointment is on March 3rd at 3:15 pm, and the fee is $42.50.',
    );
    expect(map.spoken).toBe(
      'Your appointment is on March third at three fifteen p.m., and the fee is forty-two dollars and fifty cents.',
    );
    expect(pairsOf(map)).toEqual([
      ['Your appointment is on March ', 'Your appointment is on March '],
      ['3rd', 'third'],
      [' at ', ' at '],
      ['3:15 pm', 'three fifteen p.m.'],
      [', and the fee is ', ', and the fee is '],
      ['$42.50', 'forty-two dollars and fifty cents'],
      ['.', '.'],
    ]);
  });

  it('speak an emoji as nothing', () => {
    expect(pairsOf(english.normalise('Hi 👋🏽 there'))).toEqual([
      ['Hi ', 'Hi '],
      ['👋🏽 ', ''],
      ['there', 'there'],
    ]);
  });

  it('are one identity segment for plain text, and none for the empty text', () => {
    expect(english.normalise('Hello there.').segments).toHaveLength(1);
    expect(english.normalise('')).toEqual({ original: '', spoken: '', segments: [] });
  });

  it('cover any text exactly and in order', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const map = english.normalise(text);
        expect(map.original).toBe(text);
        expectFullCover(map);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('any text', () => {
  it('of common words stays as it is', () => {
    const words = fc.array(fc.stringMatching(/^[acdeilmnorst]{1,12}$/), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(words, (list) => {
        expect(english.normalise(list.join(' ')).spoken).toBe(list.join(' '));
      }),
    );
  });

  it('keeps no digit of amounts, prices, times, dates and percentages', () => {
    fc.assert(
      fc.property(figure, (written) => {
        expect(english.normalise(`It is ${written}, I think.`).spoken).toMatch(
          /^It is [a-zA-Z ,'.-]+, I think\.$/,
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('is spoken the same however often it was spoken before', () => {
    fc.assert(
      fc.property(figure, (written) => {
        const { spoken } = english.normalise(`It is ${written}.`);
        expect(english.normalise(spoken).spoken).toBe(spoken);
      }),
    );
  });
});

describe('time', () => {
  it('is bounded for every rule: no pattern repeats without end', () => {
    for (const { pattern } of englishRules) {
      const bare = pattern.source.replace(/\\./g, '').replace(/\[[^\]]*\]/g, '');
      expect(bare, pattern.source).not.toMatch(/[*+]|\{\d+,\}/);
    }
  });

  it.each([
    ...[
      '1',
      '1,',
      '1/',
      '1.',
      '1-',
      '1 ',
      '1:11-',
      ',',
      '/',
      '$',
      '$1 ',
      '+1',
      '(5',
      '*',
      '#',
      '-',
      "'",
      '’',
    ],
    ...[
      'a.',
      'a@',
      'A ',
      'Aa St ',
      'St. ',
      'Mar ',
      'in 1',
      'code is #',
      'IV ',
      'A-1-',
      'http://a.a/',
      '5k-',
      'a1',
    ],
    ...[
      'e\u0301',
      '\u0301',
      '\u202e',
      'مرحبا ',
      '۱',
      '👩‍👧',
      '🇺',
      '\ud800',
      '\u200d',
      '\0',
      '\n',
      '½',
    ],
  ])('64 KiB of %j are read to the end, with four times the attempts of a quarter', (unit) => {
    const text = unit.repeat(CHUNK_BYTES / unit.length);
    const map = english.normalise(text);
    expect(map.segments.at(-1)?.originalEnd).toBe(text.length);
    expect(map.segments.at(-1)?.spokenEnd).toBe(map.spoken.length);
    const quarter = unit.repeat(CHUNK_BYTES / 4 / unit.length);
    expect(attemptsOn(text)).toBeLessThan(4.2 * attemptsOn(quarter) + 100);
  });
});

/** How often rules are tried on a text; each try takes constant time, for no pattern repeats without end. */
function attemptsOn(text: string): number {
  let attempts = 0;
  class CountedPattern extends RegExp {
    override exec(string: string): RegExpExecArray | null {
      attempts++;
      return super.exec(string);
    }
  }
  const rules = englishRules.map((each) => ({
    ...each,
    pattern: new CountedPattern(each.pattern),
  }));
  ruleNormaliser('en', rules).normalise(text);
  return attempts;
}
