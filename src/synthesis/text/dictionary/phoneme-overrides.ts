import type { Pronunciation } from '../pronunciation.ts';
import type { PhonemeOverride } from './ruled-text.ts';

/** What a phonemiser passes on for its pause (Piper's models hear it), and the space between words. */
const NO_SOUND = /^[ .,;:!?]$/;

/**
 * Puts the sounds that rules give in place of those that the phonemiser read for the same text; they
 * share its time among all of its letters. Where the phonemiser read several words as one ("of the"
 * is one in English), a part of it is told by the letters that each symbol voices.
 *
 * @param overrides in text order, without overlap, on `pronunciation.spoken`; none is empty.
 */
export function overridePhonemes(
  pronunciation: Pronunciation,
  overrides: readonly PhonemeOverride[],
): Pronunciation {
  if (overrides.length === 0) return pronunciation;
  const { spoken, symbols, starts, ends } = pronunciation;
  const result = new SymbolList();
  let next = 0;
  const copyUntil = (start: number) => {
    for (; next < symbols.length && (starts[next] ?? 0) < start; next++) {
      result.add(symbols[next] ?? '', starts[next] ?? 0, ends[next] ?? 0);
    }
  };
  for (const override of overrides) {
    copyUntil(override.start);
    const first = next;
    while (next < symbols.length && (starts[next] ?? 0) < override.end) next += 1;
    const following = symbols[next];
    result.addOverride(override, first < next, following);
  }
  copyUntil(Number.POSITIVE_INFINITY);
  return { spoken, ...result.covering(spoken.length) };
}

/** Symbols in the making, each with the stretch of text that it voices. */
class SymbolList {
  readonly #symbols: string[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  add(symbol: string, start: number, end: number): void {
    this.#symbols.push(symbol);
    this.#starts.push(start);
    this.#ends.push(end);
  }

  /**
   * @param isRead whether the phonemiser read the stretch at all; when it did not, no spaces are
   *   around it yet.
   * @param following the symbol after it.
   */
  addOverride(override: PhonemeOverride, isRead: boolean, following: string | undefined): void {
    const { start, end, symbols } = override;
    this.#endBy(start);
    const isFirst = this.#symbols.length === 0;
    if (!isRead && !isFirst && this.#symbols.at(-1) !== ' ') this.add(' ', start, end);
    for (const symbol of symbols) this.add(symbol, start, end);
    if (!isRead && following !== undefined && !NO_SOUND.test(following)) this.add(' ', start, end);
  }

  /** Stretches each symbol to where the next one starts, and the outer ones to the text's ends. */
  covering(length: number): Omit<Pronunciation, 'spoken'> {
    const [symbols, starts, ends] = [this.#symbols, this.#starts, this.#ends];
    if (symbols.length === 0) return { symbols, starts, ends };
    starts[0] = 0;
    ends[ends.length - 1] = length;
    const covered = ends.map((end, index) => Math.max(end, starts[index + 1] ?? 0));
    return { symbols, starts, ends: covered };
  }

  /** What was read across the start of an override ends there. */
  #endBy(position: number): void {
    for (let index = this.#ends.length - 1; (this.#ends[index] ?? 0) > position; index--) {
      this.#ends[index] = position;
    }
  }
}
