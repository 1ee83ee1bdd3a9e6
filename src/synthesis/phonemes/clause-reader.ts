import { BoundedMap } from '../../domain/bounded-map.ts';
import { type ClauseReading, readClause } from './clause-reading.ts';
import type { Espeak } from './espeak.ts';
import { symbolsOf } from './espeak-output.ts';
import { legibleText } from './legible-text.ts';

/** About 3 MB of clauses and 1 MB of words: a busy line says the same things again. */
const CLAUSES_KEPT = 1000;
const WORDS_KEPT = 5000;
/** UTF-16 units; longer texts hardly come twice. */
const LONGEST_KEPT = 200;

/** Reads clauses through espeak-ng and remembers what it read. */
export class ClauseReader {
  readonly #espeak: Espeak;
  readonly #clauses = new BoundedMap<string, ClauseReading>(CLAUSES_KEPT);
  readonly #symbols = new BoundedMap<string, readonly string[]>(WORDS_KEPT);

  constructor(espeak: Espeak) {
    this.#espeak = espeak;
  }

  /**
   * @param text one clause, its closing mark included.
   * @param bodyLength where the closing mark begins.
   * @returns undefined when espeak-ng has no voice of the language's name.
   */
  read(text: string, bodyLength: number, language: string): ClauseReading | undefined {
    const key = `${language} ${bodyLength} ${text}`;
    const known = this.#clauses.use(key);
    if (known) return known;
    if (!this.#espeak.select(language)) return undefined;
    const reading = readClause(text, bodyLength, (part) => this.#speak(part, language));
    if (text.length <= LONGEST_KEPT) this.#clauses.set(key, reading);
    return reading;
  }

  #speak(text: string, language: string): readonly string[] {
    const legible = legibleText(text);
    if (legible.trim() === '') return [];
    const key = `${language} ${legible}`;
    const known = this.#symbols.use(key);
    if (known) return known;
    const symbols = symbolsOf(this.#espeak.phonemes(legible));
    if (legible.length <= LONGEST_KEPT) this.#symbols.set(key, symbols);
    return symbols;
  }
}
