import { type Spans, spreadSymbols } from './symbol-spans.ts';
import { alignWords } from './word-alignment.ts';
import { isPlainWord, type WrittenWord, writtenWords } from './written-words.ts';

/** A clause in phoneme symbols, each with the stretch of the clause's text that it voices. */
export interface ClauseReading extends Spans {
  readonly symbols: readonly string[];
}

/** One NFD code point each; words separated by single spaces. */
export type SpeakSymbols = (text: string) => readonly string[];

/**
 * @param text one clause, its closing mark included.
 * @param bodyLength where the closing mark begins; the mark steers the pronunciation, and has no
 *   symbol in the reading.
 * @param speak how the language pronounces a text, a clause or a word of it.
 */
export function readClause(text: string, bodyLength: number, speak: SpeakSymbols): ClauseReading {
  const symbols = speak(text);
  const words = writtenWords(text.slice(0, bodyLength));
  if (symbols.length === 0) return { symbols, starts: [], ends: [] };
  if (words.length === 0) return { symbols, ...spreadSymbols(text, symbols.length, 0) };
  return { symbols, ...spanSymbols(symbols, words, wordIndexes(symbols, words, speak)) };
}

/** @returns for each symbol the index of its word. */
function wordIndexes(
  symbols: readonly string[],
  words: readonly WrittenWord[],
  speak: SpeakSymbols,
): readonly number[] {
  const spaces = symbols.filter((symbol) => symbol === ' ').length;
  if (spaces + 1 !== words.length || !words.every(isPlainWord)) {
    return alignWords(
      symbols,
      words.map((word) => speak(word.text)),
    );
  }
  let word = 0;
  return symbols.map((symbol) => (symbol === ' ' ? word++ : word));
}

function spanSymbols(
  symbols: readonly string[],
  words: readonly WrittenWord[],
  wordOf: readonly number[],
): Spans {
  const spans: Spans = { starts: [], ends: [] };
  let first = 0;
  while (first < symbols.length) {
    let last = first;
    while (last + 1 < symbols.length && wordOf[last + 1] === wordOf[first]) last += 1;
    const word = words[wordOf[first] ?? 0];
    const next = words[wordOf[last + 1] ?? words.length];
    const hasSpace = next !== undefined && last > first && symbols[last] === ' ';
    if (word) addWord(spans, word, last - first + (hasSpace ? 0 : 1));
    if (word && hasSpace) addSpace(spans, word, next.start);
    first = last + 1;
  }
  return spans;
}

function addWord(spans: Spans, word: WrittenWord, symbolCount: number): void {
  const { starts, ends } = spreadSymbols(word.text, symbolCount, word.start);
  spans.starts.push(...starts);
  spans.ends.push(...ends);
}

/** A space voices what lies between two words, or, where nothing does, the end of the first. */
function addSpace(spans: Spans, word: WrittenWord, nextStart: number): void {
  const lastStart = spans.starts.at(-1) ?? word.start;
  spans.starts.push(nextStart > word.end ? word.end : lastStart);
  spans.ends.push(nextStart);
}
