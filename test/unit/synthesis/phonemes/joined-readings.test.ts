import { describe, expect, it } from 'vitest';
import type { ClauseReading } from '../../../../src/synthesis/phonemes/clause-reading.ts';
import { splitClauses } from '../../../../src/synthesis/phonemes/clauses.ts';
import { joinReadings } from '../../../../src/synthesis/phonemes/joined-readings.ts';

const SILENT: ClauseReading = { symbols: [], starts: [], ends: [] };
const X: ClauseReading = { symbols: ['x'], starts: [0], ends: [1] };

function join(text: string, readings: readonly ClauseReading[]) {
  const { symbols, starts, ends } = joinReadings(text, splitClauses(text, 'en-us'), readings);
  return symbols.map((symbol, index) => [symbol, text.slice(starts[index], ends[index])]);
}

describe('joinReadings', () => {
  it('puts marks and spaces between the clauses', () => {
    expect(join('a, b.', [X, X])).toEqual([
      ['x', 'a'],
      [',', ','],
      [' ', ' '],
      ['x', 'b'],
      ['.', '.'],
    ]);
  });

  it('stretches the symbols over what is silent', () => {
    const quoted: ClauseReading = { symbols: ['x'], starts: [1], ends: [2] };
    expect(join(' “a” , 👍', [quoted, SILENT])).toEqual([
      ['x', ' “a” '],
      [',', ', 👍'],
    ]);
  });

  it('lets a space without a character share the mark before it', () => {
    expect(join('一，二', [X, X])).toEqual([
      ['x', '一'],
      [',', '，'],
      [' ', '，'],
      ['x', '二'],
    ]);
  });

  it('leaves out clauses that say nothing, and their marks', () => {
    expect(join('a, b.', [SILENT, X])).toEqual([
      ['x', 'a, b'],
      ['.', '.'],
    ]);
    expect(join('a.', [SILENT])).toEqual([]);
    expect(join('', [])).toEqual([]);
  });
});
