import { describe, expect, it } from 'vitest';
import { readClause } from '../../../../src/synthesis/phonemes/clause-reading.ts';

/** Reads `text` with a phonemiser that knows just these pronunciations. */
function read(text: string, bodyLength: number, spoken: Record<string, string>) {
  const { symbols, starts, ends } = readClause(text, bodyLength, (part) => [
    ...(spoken[part] ?? ''),
  ]);
  return symbols.map((symbol, index) => [symbol, text.slice(starts[index], ends[index])]);
}

describe('readClause', () => {
  it('pairs words with words where both are plain', () => {
    expect(read('ab c.', 4, { 'ab c.': 'xy z' })).toEqual([
      ['x', 'a'],
      ['y', 'b'],
      [' ', ' '],
      ['z', 'c'],
    ]);
  });

  it('asks for the words alone where they are not', () => {
    expect(read('4 of a', 6, { '4 of a': 'xy zaʌ', '4': 'xy z', of: 'a', a: 'ʌ' })).toEqual([
      ['x', '4'],
      ['y', '4'],
      [' ', '4'],
      ['z', '4'],
      ['a', 'of'],
      ['ʌ', 'a'],
    ]);
  });

  it('lets the space between words without one share the letter before it', () => {
    expect(read('你好吗', 3, { 你好吗: 'ni ma', 你好: 'ni', 吗: 'ma' })).toEqual([
      ['n', '你'],
      ['i', '好'],
      [' ', '好'],
      ['m', '吗'],
      ['a', '吗'],
    ]);
  });

  it('spreads what is said over a text without words', () => {
    expect(read('™', 1, { '™': 'tm' })).toEqual([
      ['t', '™'],
      ['m', '™'],
    ]);
    expect(read('"+"', 3, { '"+"': '' })).toEqual([]);
  });
});
