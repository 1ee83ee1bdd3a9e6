/**
 * What splitting needs to know of a language: words separated by spaces, in lower case, without
 * their last dot.
 */
export interface LanguageWords {
  /** Abbreviations that more always follows ("Dr. Smith"): their dot ends no sentence. */
  readonly beforeName?: string;
  /** Abbreviations only before a number ("No. 5"), which is then no ordinal; elsewhere a word. */
  readonly beforeNumber?: string;
  /** Abbreviations that may end a sentence ("etc."): a capital letter after them tells. */
  readonly either?: string;
  /** Words that lean on the next one: a listener notices a pause after them. */
  readonly determiners: string;
  /** Conjunctions and prepositions: they lean on the next word, and a pause suits before them. */
  readonly heads: string;
  /** Postpositions and particles: they lean on the word before them. */
  readonly trailers?: string;
  /**
   * A number with a dot is an ordinal ("3. maj"), known by the small letter after it, or, where
   * nouns take capitals too ("3. März"), not to be told from a sentence's end by what follows.
   */
  readonly ordinals?: 'before-lowercase' | 'before-any';
}
