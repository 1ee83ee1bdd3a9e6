import anyAscii from 'any-ascii';
import { BoundedMap } from '../../domain/bounded-map.ts';
import { type ClauseReading, readClause } from './clause-reading.ts';
import type { Espeak } from './espeak.ts';
import { symbolsOf } from './espeak-output.ts';
import { legibleText } from './legible-text.ts';
import { nativeSounds, probeLines, soundsHeardIn } from './native-sounds.ts';
import { type ScriptRun, scriptRuns } from './script-runs.ts';

/** About 3 MB of clauses and 1 MB of words: a busy line says the same things again. */
const CLAUSES_KEPT = 1000;
const WORDS_KEPT = 5000;
/** UTF-16 units; longer texts hardly come twice. */
const LONGEST_KEPT = 200;
const ENDS_WORD = /[\p{L}\p{M}\p{N}]$/u;
const BEGINS_WORD = /^[\p{L}\p{M}\p{N}]/u;

/** Reads clauses through espeak-ng and remembers what it read. */
export class ClauseReader {
  readonly #espeak: Espeak;
  readonly #clauses = new BoundedMap<string, ClauseReading>(CLAUSES_KEPT);
  readonly #symbols = new BoundedMap<string, readonly string[]>(WORDS_KEPT);
  /** By language; undefined where they cannot be told. */
  readonly #native = new Map<string, ReadonlySet<string> | undefined>();

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

  /** Each script by who reads it, and what is foreign with the sounds of the voice's own language. */
  #speak(text: string, language: string): readonly string[] {
    const runs = scriptRuns(legibleText(text), language);
    const spoken = new Map<ScriptRun, readonly string[]>();
    // Changing espeak-ng's language takes as long as reading a sentence.
    for (const reader of new Set(runs.map((run) => run.reader))) {
      for (const run of runs)
        if (run.reader === reader) spoken.set(run, this.#speakRun(run, language));
    }
    const symbols: string[] = [];
    runs.forEach((run, index) => {
      const said = spoken.get(run) ?? [];
      const isJoined = ENDS_WORD.test(runs[index - 1]?.text ?? '') && BEGINS_WORD.test(run.text);
      if (symbols.length > 0 && said.length > 0 && !isJoined) symbols.push(' ');
      symbols.push(...said);
    });
    return symbols;
  }

  #speakRun({ text, reader }: ScriptRun, language: string): readonly string[] {
    if (reader === 'own') return this.#symbolsIn(text, language);
    const symbols = reader === 'none' ? [] : this.#symbolsIn(text, reader);
    // Who reads a script need not know its rarest letters.
    if (symbols.length === 0) return this.#symbolsIn(anyAscii(text), language);
    const native = this.#nativeSounds(language);
    return native ? nativeSounds(symbols, native) : symbols;
  }

  #nativeSounds(language: string): ReadonlySet<string> | undefined {
    if (!this.#native.has(language)) {
      this.#espeak.select(language);
      const outputs = probeLines(language)?.map((line) => this.#espeak.phonemes(line));
      this.#native.set(language, outputs && soundsHeardIn(outputs));
    }
    return this.#native.get(language);
  }

  #symbolsIn(legible: string, language: string): readonly string[] {
    if (legible.trim() === '') return [];
    const key = `${language} ${legible}`;
    const known = this.#symbols.use(key);
    if (known) return known;
    this.#espeak.select(language);
    const symbols = symbolsOf(this.#espeak.phonemes(legible));
    if (legible.length <= LONGEST_KEPT) this.#symbols.set(key, symbols);
    return symbols;
  }
}
