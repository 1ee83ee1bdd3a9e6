import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ChunkPolicy,
  policyForAutoMode,
  policyForLevel,
  policyForSchedule,
} from '../../../../src/synthesis/text/chunk-policy.ts';
import { type Chunk, Chunker } from '../../../../src/synthesis/text/chunker.ts';
import { pushAll } from '../../../support/cut-text.ts';

const LANGUAGES = ['en', 'de', 'fr', 'el', 'hi', 'ja', 'zh', 'ar', 'ru', 'tr', undefined];
const language = fc.constantFrom(...LANGUAGES);

const ruledByText: fc.Arbitrary<ChunkPolicy> = fc.oneof(
  fc.constantFrom(0, 1, 2, 3, 4).map((level) => policyForLevel(level as 0 | 1 | 2 | 3 | 4)),
  fc
    .array(fc.integer({ min: 50, max: 200 }), { minLength: 1, maxLength: 3 })
    .map(policyForSchedule),
);
const anyPolicy = fc.oneof(ruledByText, fc.constant(policyForAutoMode()));

/** What splitting stumbles over, in any order. */
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(' ', ' ', ' ', '. ', ', ', '\n', '\n\n', '\u00a0') },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...['word', 'the', 'and', 'Smith', 'Dr.', 'e.g.', 'U.S.', '3', '3.50', '1,000', 'März', 'm.'],
      ...['www.example.com', 'a@b.de', '“', '”', '"', '«', '»', '(', ')', "'", '’', '—', '-', ':'],
      ...['.', '?', '!', '…', '...', ';', '。', '！', '「', '」', '，', '؟', '،', '।', '*', '**'],
      ...[
        '您的预约是三月三日',
        'お電話です',
        '안녕하세요',
        'मेरी',
        'में',
        'كيف',
        'и',
        'κ.',
        'é',
        'e\u0301',
      ],
      ...['😊', '👩‍👧‍👦', '🇩🇪', '👍🏽', '\u200f', 'क्षि', '\ud83d', '\udc00'],
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 5 }) },
);
const text = fc.array(piece, { maxLength: 60, size: 'max' }).map((pieces) => pieces.join(''));

/** Cuts a text at the given shares of its length. */
function cut(whole: string, at: readonly number[]): string[] {
  const places = [0, ...at.map((share) => Math.floor(share * whole.length)), whole.length];
  places.sort((a, b) => a - b);
  return places.slice(1).map((place, index) => whole.slice(places[index], place));
}

const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
  maxLength: 30,
  size: 'max',
});

function chunksOf(policy: ChunkPolicy, tag: string | undefined, fragments: readonly string[]) {
  const chunker = new Chunker(policy, tag);
  return [...fragments.flatMap((fragment) => pushAll(chunker, fragment)), ...chunker.flush()];
}

type Call = 'push' | 'trigger' | 'flush' | 'restart';

function called(chunker: Chunker, call: Call | undefined): readonly Chunk[] {
  if (call === 'trigger') return chunker.trigger(10);
  if (call === 'flush') return chunker.flush();
  if (call === 'restart') chunker.restart();
  return [];
}

function ends(chunks: readonly Chunk[]): number[] {
  return chunks.map((chunk) => chunk.end);
}

describe('however a text is cut', () => {
  it('no character is lost, repeated or moved', () => {
    const call = fc.constantFrom<Call>(
      'push',
      'push',
      'push',
      'push',
      'trigger',
      'flush',
      'restart',
    );
    fc.assert(
      fc.property(
        anyPolicy,
        language,
        text,
        cuts,
        fc.array(call),
        (policy, tag, whole, at, calls) => {
          const chunker = new Chunker(policy, tag);
          const chunks: Chunk[] = [];
          let sent = 0;
          for (const [index, fragment] of cut(whole, at).entries()) {
            chunks.push(...pushAll(chunker, fragment), ...called(chunker, calls[index]));
            sent += fragment.length;
            expect(chunker.bufferedChars).toBe(sent - (chunks.at(-1)?.end ?? 0));
          }
          chunks.push(...chunker.flush());
          expect(chunks.map((chunk) => chunk.text).join('')).toBe(whole);
          expect(chunks.map((chunk) => chunk.start)).toEqual(
            chunks.map((_, index) => chunks[index - 1]?.end ?? 0),
          );
          for (const { start, end, text: spoken } of chunks) {
            expect(end - start).toBe(spoken.length);
            expect(end).toBeGreaterThan(start);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('the chunks are the same, unless a cut stands between a mark and more ink', () => {
    const betweenMarkAndInk = (whole: string, place: number) =>
      !/[\p{L}\p{N}\s]$/u.test(whole.slice(0, place)) && /^\S/u.test(whole.slice(place));
    fc.assert(
      fc.property(ruledByText, language, text, cuts, (policy, tag, whole, at) => {
        const allowed = at.filter(
          (share) => !betweenMarkAndInk(whole, Math.floor(share * whole.length)),
        );
        const fragments = cut(whole, allowed);
        const expected = ends(chunksOf(policy, tag, [whole]));
        expect(ends(chunksOf(policy, tag, fragments))).toEqual(expected);
      }),
      { numRuns: 600 },
    );
  });

  it('half a surrogate pair or half a cluster changes nothing', () => {
    fc.assert(
      fc.property(ruledByText, language, (policy, tag) => {
        const whole = 'Fine!👩‍👧‍👦 Good 👍🏽 e\u0301te\u0301, क्षि and 한 go on. Yes';
        const units = whole.split('');
        const joined = units.reduce<string[]>((fragments, unit) => {
          const previous = fragments.at(-1) ?? '';
          // Only what must not be cut is put together again: a mark with the ink behind it.
          if (/[!.,]$/u.test(previous)) fragments[fragments.length - 1] = previous + unit;
          else fragments.push(unit);
          return fragments;
        }, []);
        expect(ends(chunksOf(policy, tag, joined))).toEqual(ends(chunksOf(policy, tag, [whole])));
      }),
    );
  });
});

describe('a chunk never ends', () => {
  it('inside a number, an abbreviation or an address', () => {
    const item = fc.constantFrom(
      ...['3.14', '1,000.50', '1.000,50', '12:30', '3.5.2024', 'Dr.', 'e.g.', 'p.m.', 'U.S.'],
      ...[
        'www.example.com',
        'https://a.example.com/b?c=d&e.f',
        '2.0.1',
        '1-800-555',
        '555.123.4567',
      ],
    );
    const words = fc.array(fc.constantFrom('we', 'found', 'it', 'again', 'today'), {
      minLength: 1,
      maxLength: 6,
    });
    const oneByOne = fc.boolean();
    fc.assert(
      fc.property(
        ruledByText,
        fc.array(fc.tuple(words, item), { minLength: 1, maxLength: 5 }),
        cuts,
        oneByOne,
        (policy, groups, at, single) => {
          let whole = '';
          const spans: [number, number][] = [];
          for (const [before, thing] of groups) {
            whole += `${before.join(' ')} `;
            spans.push([whole.length, whole.length + thing.length]);
            whole += `${thing} `;
          }
          const fragments = single ? [...whole] : cut(whole, at);
          for (const end of ends(chunksOf(policy, 'en', fragments))) {
            for (const [from, to] of spans) expect(end <= from || end >= to).toBe(true);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('inside a grapheme cluster of a text pushed at once', () => {
    const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
    fc.assert(
      fc.property(anyPolicy, language, text, (policy, tag, whole) => {
        const starts = new Set([...graphemes.segment(whole)].map((cluster) => cluster.index));
        const inner = ends(chunksOf(policy, tag, [whole])).slice(0, -1);
        for (const end of inner) expect(starts.has(end)).toBe(true);
      }),
      { numRuns: 600 },
    );
  });

  it('before it has something to say, but for a flush and a flood of blanks and marks', () => {
    fc.assert(
      fc.property(anyPolicy, language, text, cuts, (policy, tag, whole, at) => {
        for (const chunk of chunksOf(policy, tag, cut(whole, at))) {
          const isExcused = chunk.reason === 'flush' || chunk.reason === 'schedule';
          expect(chunk.isSpeakable || isExcused).toBe(true);
          expect(chunk.isSpeakable).toBe(/[\p{L}\p{N}\p{Sc}%&@°]/u.test(chunk.text));
        }
      }),
      { numRuns: 300 },
    );
  });
});
