/**
 * A chunk as the engine reads it: phoneme symbols, each with the stretch of text that it voices.
 * `starts[i]` and `ends[i]` are UTF-16 indexes into `spoken`, half-open, non-decreasing in `i`.
 */
export interface Pronunciation {
  /** The text as spoken, after the normaliser ("$42.50" → "forty-two dollars and fifty cents"). */
  readonly spoken: string;
  /** One NFD code point each, in the model's alphabet: IPA, stress marks, punctuation, space. */
  readonly symbols: readonly string[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Says which characters of the original text each stretch of the spoken text stands for. */
export interface TextMap {
  readonly original: string;
  readonly spoken: string;
  /**
   * In order, covering both texts fully: `original[originalStart, originalEnd)` is spoken as
   * `spoken[spokenStart, spokenEnd)`. Either side may be empty. Unchanged text is one long segment.
   */
  readonly segments: readonly TextSegment[];
}

export interface TextSegment {
  readonly originalStart: number;
  readonly originalEnd: number;
  readonly spokenStart: number;
  readonly spokenEnd: number;
}
