import { clusterBounds } from '../text/grapheme-clusters.ts';

/** Stretches of text, half-open and non-decreasing, one for each symbol. */
export interface Spans {
  readonly starts: number[];
  readonly ends: number[];
}

/**
 * Spreads symbols evenly over the letters of a word, so that together they cover it. Where there
 * are more symbols than letters, several share one. Grapheme clusters stay whole.
 *
 * @param text not empty.
 * @param offset added to every index.
 */
export function spreadSymbols(text: string, symbolCount: number, offset: number): Spans {
  const bounds = clusterBounds(text);
  const letters = bounds.length - 1;
  const starts: number[] = [];
  const ends: number[] = [];
  for (let symbol = 0; symbol < symbolCount; symbol++) {
    const first = Math.floor((symbol * letters) / symbolCount);
    const last = Math.ceil(((symbol + 1) * letters) / symbolCount);
    starts.push(offset + (bounds[first] ?? 0));
    ends.push(offset + (bounds[last] ?? text.length));
  }
  return { starts, ends };
}
