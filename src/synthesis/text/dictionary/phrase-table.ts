/** Phrases that differ here share nothing: most places of a text are done with by looking at these. */
const PREFIX_LENGTH = 3;

/** Values by phrase, to be found wherever a phrase stands in a text. */
export class PhraseTable<Value> {
  readonly #values = new Map<string, Value>();
  /** By how phrases begin, how long they are. */
  readonly #lengths = new Map<string, number[]>();

  get size(): number {
    return this.#values.size;
  }

  /** Of values for the same phrase, the first stays. */
  add(phrase: string, value: Value): void {
    if (phrase === '' || this.#values.has(phrase)) return;
    this.#values.set(phrase, value);
    const prefix = phrase.slice(0, PREFIX_LENGTH);
    const lengths = this.#lengths.get(prefix);
    if (!lengths) this.#lengths.set(prefix, [phrase.length]);
    else if (!lengths.includes(phrase.length)) lengths.push(phrase.length);
  }

  /** How long the phrases are that may stand at a place, by how the text goes on there. */
  *lengthsAt(text: string, start: number): Generator<number> {
    for (let length = 1; length <= PREFIX_LENGTH && start + length <= text.length; length++) {
      const lengths = this.#lengths.get(text.slice(start, start + length));
      if (lengths) yield* lengths;
    }
  }

  get(phrase: string): Value | undefined {
    return this.#values.get(phrase);
  }
}
