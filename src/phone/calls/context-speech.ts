import type { ChunkAlignment } from '../../synthesis/text/alignment.ts';
import type { Cue } from './playback.ts';
import { Transcript } from './transcript.ts';

/** Speech that one context may have waiting to be sent; above it, its synthesis waits. */
const HIGH_WATER_MS = 20_000;
/** Below it, synthesis goes on. */
const LOW_WATER_MS = 10_000;

/** A stretch of encoded audio that waits to be sent. */
interface WaitingAudio {
  readonly type: 'audio';
  audio: Uint8Array;
  /** Where in the context's text the first character stands whose sound starts in it. */
  readonly fromChar: number | undefined;
}

type Waiting = WaitingAudio | { readonly type: 'cue'; readonly cue: Cue };

/**
 * `closing`: no more text will come. `ended`: nor more audio. `lost`: it was cut off, or failed, and
 * what is still made for it must not be heard.
 */
export type ContextSpeechState = 'open' | 'closing' | 'ended' | 'lost';

/** One context of a bot, from its first word to the last that is heard. */
export class ContextSpeech {
  /** As the bot calls it. */
  readonly contextId: string;
  /** As `SpeechContexts` knows it: unlike the bot's names, never used again. */
  readonly key: string;
  readonly transcript = new Transcript();
  readonly #bytesPerMs: number;
  state: ContextSpeechState = 'open';
  /** Whether text has come that was not followed by a flush. */
  isUnflushed = false;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #resume: Array<() => void> = [];

  constructor(contextId: string, key: string, bytesPerMs: number) {
    this.contextId = contextId;
    this.key = key;
    this.#bytesPerMs = bytesPerMs;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Whether the next of what waits belongs to text before a place; anything does, without one. */
  hasWaitingBefore(until: number | undefined): boolean {
    const [next] = this.#waiting;
    if (next?.type !== 'audio') return next !== undefined;
    return until === undefined || next.fromChar === undefined || next.fromChar < until;
  }

  /** Takes audio as it is made. Resolves when more may be made. */
  async offer(audio: Uint8Array, alignment: ChunkAlignment | undefined): Promise<void> {
    const fromChar = alignment && this.transcript.time(alignment.original);
    this.#waiting.push({ type: 'audio', audio, fromChar });
    this.#waitingBytes += audio.length;
    if (this.#waitingBytes <= HIGH_WATER_MS * this.#bytesPerMs) return;
    await new Promise<void>((resolve) => {
      this.#resume.push(resolve);
    });
  }

  /** Behind all audio so far. */
  cue(cue: Cue): void {
    this.#waiting.push({ type: 'cue', cue });
  }

  /**
   * The next piece of what waits.
   * @param until a place in the text: audio of what stands behind it stays where it is.
   */
  take(maxBytes: number, until: number | undefined): Uint8Array | Cue | undefined {
    const [next] = this.#waiting;
    if (!next || !this.hasWaitingBefore(until)) return undefined;
    if (next.type === 'cue') {
      this.#waiting.shift();
      return next.cue;
    }
    const piece = next.audio.subarray(0, maxBytes);
    // What is left of a stretch goes on with it, whatever its first character was.
    if (piece.length === next.audio.length) this.#waiting.shift();
    else
      this.#waiting[0] = {
        type: 'audio',
        audio: next.audio.subarray(maxBytes),
        fromChar: undefined,
      };
    this.#waitingBytes -= piece.length;
    if (this.#waitingBytes < LOW_WATER_MS * this.#bytesPerMs) this.#letGo();
    return piece;
  }

  /** Drops the audio that waits. */
  drop(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#letGo();
  }

  #letGo(): void {
    for (const resume of this.#resume.splice(0)) resume();
  }
}
