import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WINDOW_SCHEDULES } from '../../../../../src/synthesis/engine/engine.ts';
import { MAX_PIECE_IDS, planPieces } from '../../../../../src/synthesis/engine/kokoro/pieces.ts';
import { KOKORO_IDS } from '../../../../../src/synthesis/engine/kokoro/vocabulary.ts';

const SYMBOLS = new Map(Array.from(KOKORO_IDS, ([symbol, id]) => [id, symbol]));

function idsOf(text: string): number[] {
  return [...text].map((symbol) => KOKORO_IDS.get(symbol) ?? Number.NaN);
}

function piecesOf(text: string, schedule: keyof typeof WINDOW_SCHEDULES) {
  const ids = idsOf(text);
  return planPieces(ids, WINDOW_SCHEDULES[schedule]).map(({ start, end, ending }) => [
    ids
      .slice(start, end)
      .map((id) => SYMBOLS.get(id))
      .join(''),
    ending,
  ]);
}

describe('the pieces of a chunk', () => {
  const sentence = 'wʌn tu θɹi, fɔɹ fIv sɪks sɛvən At, nIn tɛn ɪlɛvən twɛlv θɜɹtin.';

  it('begin short for somebody who waits, and grow', () => {
    expect(piecesOf(sentence, 'eager')).toEqual([
      ['wʌn tu θɹi,', 'clause'],
      ['fɔɹ fIv sɪks sɛvən At,', 'clause'],
      ['nIn tɛn ɪlɛvən twɛlv θɜɹtin.', 'sentence'],
    ]);
  });

  it('are whole sentences for somebody who does not', () => {
    expect(piecesOf(sentence, 'thrifty')).toEqual([[sentence, 'sentence']]);
  });

  it('end between words where no mark is near, and keep what is hardly longer in one', () => {
    expect(piecesOf('wʌn tu θɹi fɔɹ fIv sɪks sɛvən At nIn', 'eager')).toEqual([
      ['wʌn tu θɹi fɔɹ', 'word'],
      ['fIv sɪks sɛvən At nIn', 'word'],
    ]);
    expect(piecesOf('wʌn tu θɹi fɔɹ fIv sɪks', 'eager')).toHaveLength(2);
    expect(piecesOf('wʌn tu θɹi fɔɹ fIv', 'eager')).toHaveLength(1);
  });

  it('do not end right after the first word', () => {
    expect(piecesOf('nO, wʌn tu θɹi fɔɹ fIv sɪks', 'eager')[0]?.[0]).toBe('nO, wʌn tu θɹi');
  });

  it('are none of nothing to say', () => {
    expect(piecesOf('', 'eager')).toEqual([]);
    expect(piecesOf('  ', 'eager')).toEqual([]);
  });

  it('hold every id but spaces once, in order, and no more than the model reads', () => {
    const symbol = fc.constantFrom(...'abɹɪˈ,. ');
    const long = fc.string({ unit: symbol, maxLength: 3000 });
    fc.assert(
      fc.property(long, fc.constantFrom('eager' as const, 'thrifty' as const), (text, schedule) => {
        const ids = idsOf(text);
        const pieces = planPieces(ids, WINDOW_SCHEDULES[schedule]);
        let end = 0;
        for (const piece of pieces) {
          expect(ids.slice(end, piece.start).every((id) => id === KOKORO_IDS.get(' '))).toBe(true);
          expect(piece.end - piece.start).toBeGreaterThan(0);
          expect(piece.end - piece.start).toBeLessThanOrEqual(MAX_PIECE_IDS);
          end = piece.end;
        }
        expect(ids.slice(end).every((id) => id === KOKORO_IDS.get(' '))).toBe(true);
      }),
    );
  });

  it('end at the limit in a word without end', () => {
    expect(piecesOf('a'.repeat(2000), 'eager')[0]?.[0]).toHaveLength(MAX_PIECE_IDS);
  });
});
