import type { TextMap, TextSegment } from '../pronunciation.ts';

/** Collects replacements in text order; what lies between them is spoken as it is written. */
export class TextMapBuilder {
  readonly #original: string;
  readonly #segments: TextSegment[] = [];
  readonly #spoken: string[] = [];
  #originalEnd = 0;
  #spokenEnd = 0;

  constructor(original: string) {
    this.#original = original;
  }

  /**
   * Speaks `original[start, end)` as `spoken`. Calls must come in text order, without overlap.
   *
   * @param start UTF-16 index, not before the end of the last replacement.
   * @param end UTF-16 index, after `start`.
   */
  replace(start: number, end: number, spoken: string): void {
    this.#keepUntil(start);
    this.#push(end, spoken);
  }

  /** Keeps the rest of the text and returns the whole map. */
  build(): TextMap {
    this.#keepUntil(this.#original.length);
    return { original: this.#original, spoken: this.#spoken.join(''), segments: this.#segments };
  }

  #keepUntil(end: number): void {
    if (end > this.#originalEnd) this.#push(end, this.#original.slice(this.#originalEnd, end));
  }

  #push(originalEnd: number, spoken: string): void {
    const spokenEnd = this.#spokenEnd + spoken.length;
    this.#segments.push({
      originalStart: this.#originalEnd,
      originalEnd,
      spokenStart: this.#spokenEnd,
      spokenEnd,
    });
    this.#spoken.push(spoken);
    this.#originalEnd = originalEnd;
    this.#spokenEnd = spokenEnd;
  }
}
