const HIRAGANA = /\p{Script=Hiragana}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
/** Honorific prefixes: they belong to the noun after them. */
const HONORIFICS = 'おご';
/** Long enough for a dictionary to tell words apart, short enough to be known early. */
const RUN_LENGTH = 5;

/**
 * Finds word boundaries in text without spaces. Japanese phrases end in hiragana (particles and
 * endings), so a new one starts where hiragana turns to kanji or katakana; Chinese needs a
 * dictionary (ICU's, UAX #29 §6).
 */
export class DenseText {
  readonly #segmenter: Intl.Segmenter | undefined;
  readonly #leaners: ReadonlySet<string>;
  #hasKana = false;
  #previous = '';
  #run = '';
  #runStart = 0;
  #enough = RUN_LENGTH;

  /**
   * @param language of the text; for any but Japanese, Han text without kana is read as Chinese.
   * @param leaners words that no boundary may follow.
   */
  constructor(language: string, leaners: ReadonlySet<string>) {
    this.#leaners = leaners;
    if (language !== 'ja') this.#segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
  }

  /** Takes the next Han or kana character. @returns word boundaries that it makes known. */
  read(character: string, at: number): readonly number[] {
    const previous = this.#previous;
    this.#previous = character;
    if (KANA.test(character)) this.#hasKana = true;
    if (this.#hasKana || this.#segmenter === undefined) {
      const starts = !HIRAGANA.test(character) && HIRAGANA.test(previous);
      return starts && !HONORIFICS.includes(previous) ? [at] : [];
    }
    if (this.#run === '') this.#runStart = at;
    this.#run += character;
    return this.#run.length < this.#enough ? [] : this.#segment(this.#segmenter);
  }

  /** A space, a mark or another script ends the run. */
  reset(): void {
    this.#previous = '';
    this.#run = '';
    this.#enough = RUN_LENGTH;
  }

  /** Leaves the last word of the run for the next call: the next character may belong to it. */
  #segment(segmenter: Intl.Segmenter): readonly number[] {
    const words = [...segmenter.segment(this.#run)];
    const last = words.at(-1)?.index ?? 0;
    const boundaries = words
      .slice(1)
      .filter((_, before) => !this.#leaners.has(words[before]?.segment ?? ''))
      .map((word) => this.#runStart + word.index);
    this.#enough = last === 0 ? this.#enough * 2 : RUN_LENGTH;
    this.#run = this.#run.slice(last);
    this.#runStart += last;
    return boundaries;
  }
}
