/** Above this a window counts as speech, below the other as silence; between, as what went before. */
const SPEECH_ABOVE = 0.5;
const SILENCE_BELOW = 0.35;
/** Shorter noises (a cough, a click) are not speech; three windows. */
const LEAST_SPEECH_MS = 96;
/** Shorter pauses belong to the speech around them. */
const LEAST_SILENCE_MS = 500;

export type SpeechEdge = 'start' | 'end';

/** Finds where speech starts and ends in a row of probabilities, and is not shaken by a single one. */
export class SpeechEdges {
  readonly #windowMs: number;
  #isSpeech = false;
  /** How long the windows have said the opposite of `#isSpeech`. */
  #contraryMs = 0;

  /** @param windowMs audio that each probability is about. */
  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /**
   * @param probability 0–1, that somebody spoke in the next window.
   * @returns the edge that has become certain with it.
   */
  push(probability: number): SpeechEdge | undefined {
    const isContrary = this.#isSpeech ? probability < SILENCE_BELOW : probability > SPEECH_ABOVE;
    if (isContrary) {
      this.#contraryMs += this.#windowMs;
    } else if (!this.#isUndecided(probability)) {
      this.#contraryMs = 0;
    }
    if (this.#contraryMs < (this.#isSpeech ? LEAST_SILENCE_MS : LEAST_SPEECH_MS)) return undefined;
    this.#contraryMs = 0;
    this.#isSpeech = !this.#isSpeech;
    return this.#isSpeech ? 'start' : 'end';
  }

  #isUndecided(probability: number): boolean {
    return probability >= SILENCE_BELOW && probability <= SPEECH_ABOVE;
  }
}
