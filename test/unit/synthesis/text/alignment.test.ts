import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignPiece, type CharacterTimes } from '../../../../src/synthesis/text/alignment.ts';
import type { ChunkPiece } from '../../../../src/synthesis/text/chunk-pieces.ts';
import type { TextSegment } from '../../../../src/synthesis/text/pronunciation.ts';

/** A stretch of text and what is spoken for it. */
type Piece = readonly [original: string, spoken: string];

/** Every UTF-16 unit of the spoken text is a symbol. */
function prepare(pieces: readonly Piece[]): ChunkPiece {
  let original = '';
  let spoken = '';
  const segments: TextSegment[] = pieces.map(([from, to]) => {
    const [originalStart, spokenStart] = [original.length, spoken.length];
    original += from;
    spoken += to;
    return { originalStart, originalEnd: original.length, spokenStart, spokenEnd: spoken.length };
  });
  const symbols = spoken.split('');
  return {
    pronunciation: {
      spoken,
      symbols,
      starts: symbols.map((_, index) => index),
      ends: symbols.map((_, index) => index + 1),
    },
    map: { original, spoken, segments },
    startsChunk: true,
    endsChunk: true,
  };
}

/** Rows of character, start and duration. */
function rows({ chars, charStartTimesMs, charDurationsMs }: CharacterTimes) {
  return chars.map((char, index) => [char, charStartTimesMs[index], charDurationsMs[index]]);
}

const same = (text: string): Piece => [text, text];

describe('alignPiece', () => {
  it('times each character, with the service’s spaces around', () => {
    const { original, spoken } = alignPiece(prepare([same('Hi.')]), [100, 200, 300], 1000);
    expect(rows(original)).toEqual([
      ['H', 0, 100],
      ['i', 100, 200],
      ['.', 300, 300],
      [' ', 600, 0],
    ]);
    expect(rows(spoken)).toEqual([
      [' ', 0, 0],
      ['H', 0, 100],
      ['i', 100, 200],
      ['.', 300, 300],
      [' ', 600, 0],
    ]);
  });

  it('spreads what is spoken for a replaced stretch over its characters', () => {
    const chunk = prepare([same('a '), ['$5', 'five'], same('.')]);
    const { original, spoken } = alignPiece(chunk, [100, 100, 100, 100, 100, 100, 50], 1000);
    expect(rows(original)).toEqual([
      ['a', 0, 100],
      [' ', 100, 100],
      ['$', 200, 200],
      ['5', 400, 200],
      ['.', 600, 50],
      [' ', 650, 0],
    ]);
    expect(spoken.chars.join('')).toBe(' a five. ');
  });

  it('gives no time to what is not spoken, and unwritten speech to its neighbour', () => {
    const silent = alignPiece(prepare([same('a'), ['*', ''], same('b')]), [100, 100], 1000);
    expect(rows(silent.original)).toEqual([
      ['a', 0, 100],
      ['*', 100, 0],
      ['b', 100, 100],
      [' ', 200, 0],
    ]);
    const added = alignPiece(
      prepare([['', 'x'], same('a'), ['', 'y'], same('b')]),
      [1, 2, 4, 8],
      1000,
    );
    expect(rows(added.original)).toEqual([
      ['a', 0, 7],
      ['b', 7, 8],
      [' ', 15, 0],
    ]);
  });

  it('puts the white space around a chunk to its spaces', () => {
    const { original, spoken } = alignPiece(
      prepare([same(' \na b ')]),
      [10, 10, 10, 10, 10, 10],
      1000,
    );
    expect(rows(original)).toEqual([
      ['a', 0, 30],
      [' ', 30, 10],
      ['b', 40, 10],
      [' ', 50, 10],
    ]);
    expect(rows(spoken)).toEqual([[' ', 0, 0], ...rows(original)]);
  });

  it('keeps clusters whole, right-to-left text in logical order', () => {
    const text = 'e\u0301👨‍👩‍👧שָׁ';
    const { original } = alignPiece(prepare([same(text)]), Array(text.length).fill(10), 1000);
    expect(original.chars).toEqual(['e\u0301', '👨‍👩‍👧', 'שָׁ', ' ']);
    expect(original.charDurationsMs).toEqual([20, 80, 30, 0]);
  });

  it('shares a symbol’s time among its characters, and a character among its symbols', () => {
    const chunk: ChunkPiece = {
      ...prepare([same('abc')]),
      pronunciation: {
        spoken: 'abc',
        symbols: ['x', 'y', 'z'],
        starts: [0, 1, 1],
        ends: [1, 2, 3],
      },
    };
    expect(alignPiece(chunk, [30, 20, 100], 1000).original.charDurationsMs).toEqual([
      30, 70, 50, 0,
    ]);
  });

  it('accounts for all the sound of any chunk', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'é', 'e\u0301', '👍🏽', ' ', 'ש', '\ud83d', '\r\n'),
      maxLength: 6,
    });
    const piece = fc.oneof(text.map(same), fc.tuple(text, text));
    const sound = fc.integer({ min: 0, max: 5000 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), fc.infiniteStream(sound), (pieces, sounds) => {
        const chunk = prepare(pieces);
        const samples = chunk.pronunciation.symbols.map(() => sounds.next().value ?? 0);
        const totalMs = Math.round((samples.reduce((sum, one) => sum + one, 0) / 22_050) * 1000);
        const { original, spoken } = alignPiece(chunk, samples, 22_050);
        expect(original.chars.join('')).toBe(`${chunk.map.original.trim()} `);
        expect(spoken.chars.join('')).toBe(` ${chunk.map.spoken.trim()} `);
        for (const { chars, charStartTimesMs, charDurationsMs } of [original, spoken]) {
          expect(charStartTimesMs).toHaveLength(chars.length);
          expect(charDurationsMs).toHaveLength(chars.length);
          expect(charStartTimesMs[0]).toBe(0);
          expect(charDurationsMs.reduce((sum, one) => sum + one, 0)).toBe(totalMs);
          charDurationsMs.forEach((duration, index) => {
            expect(Number.isInteger(duration) && duration >= 0).toBe(true);
            const next = charStartTimesMs[index + 1];
            if (next !== undefined) expect((charStartTimesMs[index] ?? 0) + duration).toBe(next);
          });
        }
      }),
    );
  });
});
