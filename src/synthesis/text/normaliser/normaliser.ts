import type { TextMap } from '../pronunciation.ts';

/** The port for text normalisation: written forms ("$42.50") become the words that a reader says. */
export interface Normaliser {
  /** ISO 639-1. */
  readonly language: string;
  /**
   * Rewrites one chunk for speech. The result depends on the chunk alone, so chunks may come from a
   * stream in any cut. Takes time linear in the text and never throws, whatever the text holds.
   *
   * @param text one chunk, as the chunker emitted it; what a rule is not sure of stays as it is.
   * @returns the spoken text, and which stretch of the original each stretch of it stands for.
   */
  normalise(text: string): TextMap;
}
