const HIRAGANA = /\p{Script=Hiragana}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
/** Honorific prefixes: they belong to the noun after them. */
const HONORIFICS = 'おご';
/** Long enough for a dictionary to tell words apart, short enough to be known early. */
const RUN_LENGTH = 5;
/** A run that goes on has words enough to end a chunk at: it is looked up in longer stretches. */
const LONG_RUN_LENGTH = 20;
const EARLY_STRETCHES = 4;

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
  /** How often this run was looked up. */
  #stretches = 0;

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
    this.#stretches = 0;
  }

  /** Leaves the last word of the run for the next call: the next character may belong to it. */
  #segment(segmenter: Intl.Segmenter): readonly number[] {
    const words = wordsOf(segmenter.segment(this.#run), this.#run.length);
    const last = words.at(-1)?.index ?? 0;
    const boundaries = words
      .slice(1)
      .filter((_, before) => !this.#leaners.has(words[before]?.segment ?? ''))
      .map((word) => this.#runStart + word.index);
    this.#stretches += 1;
    const usual = this.#stretches < EARLY_STRETCHES ? RUN_LENGTH : LONG_RUN_LENGTH;
    this.#enough = last === 0 ? this.#enough * 2 : usual;
    this.#run = this.#run.slice(last);
    this.#runStart += last;
    return boundaries;
  }
}

/** Word by word: to iterate over segments clones ICU's break iterator a second time. */
function wordsOf(segments: Intl.Segments, length: number): readonly Intl.SegmentData[] {
  const words: Intl.SegmentData[] = [];
  for (let index = 0; index < length; ) {
    const word = segments.containing(index);
    if (word === undefined) break;
    words.push(word);
    index += word.segment.length;
  }
  return words;
}
