import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignPiece } from '../../../../src/synthesis/text/alignment.ts';
import { cutChunk } from '../../../../src/synthesis/text/chunk-pieces.ts';
import type { PreparedChunk } from '../../../../src/synthesis/text/front-end.ts';
import { FrontEnd } from '../../../../src/synthesis/text/front-end.ts';
import { normaliserFor } from '../../../../src/synthesis/text/normaliser/registry.ts';
import type { TextSegment } from '../../../../src/synthesis/text/pronunciation.ts';
import { LetterPhonemiser } from '../../../support/letter-phonemiser.ts';

const frontEnd = new FrontEnd(new LetterPhonemiser(), normaliserFor);
const STYLE = { language: 'en', espeakVoice: 'en-us', normalise: true };
const NEVER = new AbortController().signal;

const prepare = (text: string) => frontEnd.prepare(text, STYLE, NEVER);

/** One stretch of text that as many symbols speak as are wanted, which all voice the same character. */
function swollen(original: string, spoken: string, symbolCount: number): PreparedChunk {
  const symbols = Array.from({ length: symbolCount }, () => 'a');
  const segment: TextSegment = {
    ...{ originalStart: 0, originalEnd: original.length },
    ...{ spokenStart: 0, spokenEnd: spoken.length },
  };
  return {
    pronunciation: {
      spoken,
      symbols,
      starts: symbols.map((_, index) => Math.floor((index * spoken.length) / symbolCount)),
      ends: symbols.map((_, index) => Math.ceil(((index + 1) * spoken.length) / symbolCount)),
    },
    map: { original, spoken, segments: [segment] },
  };
}

const symbolsOf = (chunk: PreparedChunk, maxSymbols: number) =>
  cutChunk(chunk, maxSymbols).map(({ pronunciation }) => pronunciation.symbols.join(''));

describe('a chunk', () => {
  it('of few enough symbols stays whole, as it is', async () => {
    const chunk = await prepare('Hello there.');
    expect(cutChunk(chunk, 12)).toEqual([{ ...chunk, startsChunk: true, endsChunk: true }]);
  });

  it('is cut after a clause where it can be, else between words, else within one', async () => {
    const clauses = await prepare('We came, we saw it, and then we won.');
    expect(symbolsOf(clauses, 24)).toEqual(['We came, we saw it,', 'and then we won.']);
    expect(symbolsOf(await prepare('one two three four five'), 12)).toEqual([
      'one two',
      'three four',
      'five',
    ]);
    expect(symbolsOf(await prepare('abcdefghij'), 4)).toEqual(['abcd', 'efgh', 'ij']);
  });

  it('leaves no sound without the marks that belong to it', () => {
    const chunk = swollen('x', 'x', 8);
    const symbols = ['a', 'b', 'c', 'ˈ', 'ɔ', 'ː', 'd', 'e'];
    const long = { ...chunk, pronunciation: { ...chunk.pronunciation, symbols } };
    const pieces = symbolsOf(long, 5);
    expect(pieces.join('')).toBe(symbols.join(''));
    for (const piece of pieces) expect(piece).not.toMatch(/^ː|ˈ$/u);
  });

  it('never ends with a short rest', async () => {
    const words = Array.from({ length: 50 }, () => 'abcd').join(' ');
    for (const piece of symbolsOf(await prepare(words), 240)) {
      expect(piece.length).toBeGreaterThanOrEqual(90);
    }
  });

  it('keeps what is written and spoken, whatever stands for what', async () => {
    const word = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'é', 'e\u0301', '👍', '.', ','), maxLength: 30 }),
      fc.constantFrom('$42.50', '100%', 'Dr.', '1,000,000', '3:15 pm', '½'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { maxLength: 30 }),
        fc.integer({ min: 4, max: 60 }),
        async (words, maxSymbols) => {
          const chunk = await prepare(words.join(' '));
          const pieces = cutChunk(chunk, maxSymbols);
          const join = (of: (piece: (typeof pieces)[number]) => string) => pieces.map(of).join('');
          expect(join(({ map }) => map.original)).toBe(chunk.map.original);
          expect(join(({ map }) => map.spoken)).toBe(chunk.map.spoken);
          expect(join(({ pronunciation }) => pronunciation.spoken)).toBe(chunk.map.spoken);
          for (const { pronunciation, map } of pieces) {
            const { symbols, starts, ends, spoken } = pronunciation;
            expect(symbols.length).toBeLessThanOrEqual(maxSymbols);
            expect([starts.length, ends.length]).toEqual([symbols.length, symbols.length]);
            expect(map.segments.at(-1)?.spokenEnd ?? 0).toBe(spoken.length);
            expect(map.segments.at(-1)?.originalEnd ?? 0).toBe(map.original.length);
            starts.forEach((start, index) => {
              expect(start).toBeLessThanOrEqual(ends[index] ?? 0);
              expect(ends[index]).toBeLessThanOrEqual(spoken.length);
            });
          }
        },
      ),
    );
  });
});

describe('the times of pieces', () => {
  it('are those of the whole: every character once, in order, without a gap', async () => {
    const chunk = await prepare(' Pay $42.50 now, or 100% of it  later, and then go home. ');
    const speech = (count: number) => Array.from({ length: count }, () => 100);
    const pieces = cutChunk(chunk, 20).map((piece) =>
      alignPiece(piece, speech(piece.pronunciation.symbols.length), 1000),
    );
    const [whole] = cutChunk(chunk, 1000).map((piece) =>
      alignPiece(piece, speech(piece.pronunciation.symbols.length), 1000),
    );
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.flatMap(({ original }) => original.chars)).toEqual(whole?.original.chars);
    expect(pieces.flatMap(({ spoken }) => spoken.chars)).toEqual(whole?.spoken.chars);
    for (const { spoken } of pieces) {
      spoken.charStartTimesMs.forEach((start, index) => {
        const next = spoken.charStartTimesMs[index + 1];
        if (next !== undefined) expect(start + (spoken.charDurationsMs[index] ?? 0)).toBe(next);
      });
    }
  });

  it('give a character that many pieces speak to the first of them', () => {
    const pieces = cutChunk(swollen('x', 'y', 30), 10).map((piece) =>
      alignPiece(
        piece,
        Array.from({ length: 10 }, () => 100),
        1000,
      ),
    );
    expect(pieces.map(({ original }) => original.chars)).toEqual([['x'], [], [' ']]);
    expect(pieces[0]?.original.charDurationsMs).toEqual([1000]);
  });

  it('give each character to the piece in which its sound starts', () => {
    const pieces = cutChunk(swollen('abc', 'z'.repeat(30), 30), 10).map((piece) =>
      alignPiece(
        piece,
        Array.from({ length: 10 }, () => 100),
        1000,
      ),
    );
    expect(pieces.map(({ original }) => original.chars.join(''))).toEqual(['a', 'b', 'c ']);
  });
});
