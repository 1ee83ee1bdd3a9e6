/** Something that is to happen when the caller has heard everything sent before it. */
export interface Cue {
  /** Whether the bot asked for it, or the call keeps books by it. */
  readonly kind: 'bot' | 'own';
  readonly heard: () => void;
}

interface AwaitedCue {
  readonly name: string;
  readonly positionMs: number;
  readonly cue: Cue;
}

/**
 * What the carrier has played of what it was sent, reckoned from when it was sent and, where the
 * carrier answers marks, from its answers: the position lies between the last mark that came back
 * and the first that did not. Positions count audio sent on this call, in milliseconds, pauses left
 * out. Knows no timer.
 */
export class Playback {
  readonly #answersMarks: boolean;
  #sentMs = 0;
  /** The last moment at which the position was known. */
  #anchor = { positionMs: 0, atMs: Number.NEGATIVE_INFINITY };
  /** In the order in which they were sent. */
  #awaited: AwaitedCue[] = [];

  constructor(answersMarks: boolean) {
    this.#answersMarks = answersMarks;
  }

  get sentMs(): number {
    return this.#sentMs;
  }

  /** Whether, by the clock alone, everything has been played. */
  isOver(nowMs: number): boolean {
    return this.#reckonedMs(nowMs) >= this.#sentMs;
  }

  /** Audio has been sent; a carrier that had nothing left starts to play it now. */
  sent(durationMs: number, nowMs: number): void {
    if (this.isOver(nowMs)) this.#anchor = { positionMs: this.#sentMs, atMs: nowMs };
    this.#sentMs += durationMs;
  }

  /** A mark has been sent, behind all audio so far. */
  await(name: string, cue: Cue): void {
    this.#awaited.push({ name, positionMs: this.#sentMs, cue });
  }

  /**
   * A mark came back.
   * @returns the cues that have been heard by it, in order: marks before one that came back have
   *   been passed too. None for a mark that is not awaited, such as one that was cleared away.
   */
  echoed(name: string, nowMs: number): readonly Cue[] {
    const index = this.#awaited.findIndex((awaited) => awaited.name === name);
    if (index === -1) return [];
    const heard = this.#awaited.splice(0, index + 1);
    const positionMs = heard.at(-1)?.positionMs ?? 0;
    this.#anchor = { positionMs, atMs: nowMs };
    return heard.map(({ cue }) => cue);
  }

  /** Cues that must have been heard by now, of a carrier that does not say so. */
  due(nowMs: number): readonly Cue[] {
    if (this.#answersMarks) return [];
    const positionMs = this.positionMs(nowMs);
    const first = this.#awaited.findIndex((awaited) => awaited.positionMs > positionMs);
    return this.#awaited
      .splice(0, first === -1 ? this.#awaited.length : first)
      .map(({ cue }) => cue);
  }

  /** How long until `due` has the next; undefined when it is not for the clock to say. */
  dueInMs(nowMs: number): number | undefined {
    const [next] = this.#awaited;
    if (this.#answersMarks || !next) return undefined;
    return Math.max(0, next.positionMs - this.#reckonedMs(nowMs));
  }

  /** What the caller has heard of all that was sent. */
  positionMs(nowMs: number): number {
    const reckonedMs = Math.min(this.#reckonedMs(nowMs), this.#sentMs);
    const [next] = this.#awaited;
    // A mark that has not come back has not been reached, however late the audio got there.
    return this.#answersMarks && next ? Math.min(reckonedMs, next.positionMs) : reckonedMs;
  }

  /**
   * What was sent beyond a position is dropped and will not be heard. Marks that have not come back
   * say nothing any more: a carrier that clears sends them all back at once.
   */
  cut(positionMs: number, nowMs: number): void {
    this.#awaited = [];
    if (positionMs >= this.#sentMs && !this.isOver(nowMs)) return;
    this.#sentMs = positionMs;
    this.#anchor = { positionMs, atMs: Number.NEGATIVE_INFINITY };
  }

  #reckonedMs(nowMs: number): number {
    return this.#anchor.positionMs + (nowMs - this.#anchor.atMs);
  }
}
