/** Messages that wait for one that is missing: 100 ms, for most carriers. Then it counts as lost. */
const MOST_WAITING = 5;
/** After this many messages from the past, the numbering must have begun anew. */
const MOST_STALE = 50;

/** Puts numbered media back in order, each once. What comes too late is left out. */
export class MediaOrder {
  #next: number | undefined;
  #waiting = new Map<number, Uint8Array>();
  #stale = 0;

  /**
   * @param sequence where the audio belongs: 0, 1, 2 …; the first one to come is where it begins.
   * @returns the audio whose turn has come, in order.
   */
  push(sequence: number, audio: Uint8Array): readonly Uint8Array[] {
    this.#next ??= sequence;
    if (sequence < this.#next) {
      if (++this.#stale < MOST_STALE) return [];
      this.#waiting.clear();
      this.#next = sequence;
    }
    this.#stale = 0;
    if (!this.#waiting.has(sequence)) this.#waiting.set(sequence, audio);
    if (this.#waiting.size > MOST_WAITING) this.#next = Math.min(...this.#waiting.keys());
    return this.#ready(this.#next);
  }

  #ready(from: number): readonly Uint8Array[] {
    const ready: Uint8Array[] = [];
    let next = from;
    for (let audio = this.#waiting.get(next); audio; audio = this.#waiting.get(next)) {
      ready.push(audio);
      this.#waiting.delete(next);
      next++;
    }
    this.#next = next;
    return ready;
  }
}
