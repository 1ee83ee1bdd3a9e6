import type { Pronunciation } from '../text/pronunciation.ts';
import type { ClauseReading } from './clause-reading.ts';
import type { Clause } from './clauses.ts';

/**
 * Puts the readings of a text's clauses together: each clause, its mark, a space. Stretches that
 * have no symbol of their own (quotes, brackets, pictures) count to the symbol before them, so that
 * the symbols cover the whole text; their starts and ends never go back.
 *
 * @param readings parallel to `clauses`.
 */
export function joinReadings(
  spoken: string,
  clauses: readonly Clause[],
  readings: readonly ClauseReading[],
): Pronunciation {
  const symbols: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const add = (symbol: string, start: number, end: number) => {
    symbols.push(symbol);
    starts.push(start);
    ends.push(end);
  };
  /** Voices what lies between two clauses, or, where nothing does, shares the mark's character. */
  const addSpace = (end: number) => {
    const gapStart = ends.at(-1) ?? 0;
    add(' ', end > gapStart ? gapStart : (starts.at(-1) ?? 0), end);
  };
  clauses.forEach((clause, index) => {
    const reading = readings[index];
    if (!reading || reading.symbols.length === 0) return;
    if (symbols.length > 0) addSpace(clause.start + (reading.starts[0] ?? 0));
    reading.symbols.forEach((symbol, at) => {
      add(symbol, clause.start + (reading.starts[at] ?? 0), clause.start + (reading.ends[at] ?? 0));
    });
    if (clause.mark) add(clause.mark.symbol, clause.mark.start, clause.mark.end);
  });
  closeGaps(starts, ends, spoken.length);
  return { spoken, symbols, starts, ends };
}

/** Stretches each symbol to where the next one starts, and the outer ones to the text's ends. */
function closeGaps(starts: number[], ends: number[], length: number): void {
  if (starts.length === 0) return;
  starts[0] = 0;
  ends[ends.length - 1] = length;
  for (let index = 0; index + 1 < starts.length; index++) {
    ends[index] = Math.max(ends[index] ?? 0, starts[index + 1] ?? 0);
  }
}
