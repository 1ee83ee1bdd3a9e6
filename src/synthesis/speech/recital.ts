import type { ChunkAlignment } from '../text/alignment.ts';
import type { LatencyLevel } from '../text/chunk-policy.ts';
import { policyForLevel } from '../text/chunk-policy.ts';
import { type Chunk, Chunker } from '../text/chunker.ts';
import type { Speaker, SpeechStyle } from './speaker.ts';
import { type PendingChunk, type SpokenChunk, Utterance } from './utterance.ts';
import { WorkQueue } from './work-queue.ts';

/** A stretch of encoded audio of a recital. */
export interface RecitedFrame {
  readonly audio: Uint8Array;
  /** Of the characters whose sound starts in this frame, in `SpeechStyle.alignment`'s clock. */
  readonly alignment: ChunkAlignment | undefined;
  /** How much of the text, in UTF-16 units, belongs to chunks that are heard by now. */
  readonly reachedChars: number;
}

/**
 * Cuts a text that is known whole, exactly as a context cuts text that arrives in one fragment and
 * is then flushed: both doors say the same for the same seed.
 *
 * @returns the chunks with something to say; none when the text is blanks and marks alone.
 */
export function cutText(text: string, level: LatencyLevel, language: string): readonly Chunk[] {
  const chunker = new Chunker(policyForLevel(level), language);
  return [...chunker.push(text), ...chunker.flush()].filter(({ isSpeakable }) => isSpeakable);
}

/** Speaks one whole text, as fast as its listener takes the audio. Good for one reading. */
export class Recital {
  readonly #chunks: readonly Chunk[];
  readonly #utterance: Utterance;
  readonly #ready = new WorkQueue<RecitedFrame>();
  #reachedChars = 0;
  #ahead: PendingChunk | undefined;
  #prepareAhead: () => void = () => undefined;
  #frameTaken: () => void = () => undefined;

  constructor(
    speaker: Speaker,
    style: SpeechStyle,
    chunks: readonly Chunk[],
    onSpoken: (chunk: SpokenChunk) => void,
  ) {
    this.#chunks = chunks;
    this.#utterance = new Utterance(
      speaker,
      style,
      (audio, alignment) => this.#offer(audio, alignment),
      onSpoken,
    );
  }

  /**
   * The audio, frame by frame. Work goes on when the next frame is asked for, one window of the
   * engine ahead at most; it stops when the iteration is left.
   *
   * @throws SpeechError of the front end or the engine; the signal's reason once it is aborted.
   */
  async *frames(signal: AbortSignal): AsyncGenerator<RecitedFrame, void> {
    const left = new AbortController();
    const speaking = this.#speak(AbortSignal.any([signal, left.signal]));
    const ended = speaking.then(
      () => this.#ready.end(),
      () => this.#ready.end(),
    );
    try {
      for await (const frame of this.#ready) {
        yield frame;
        this.#frameTaken();
      }
      await speaking;
    } finally {
      left.abort();
      this.#frameTaken();
      await ended;
    }
  }

  async #speak(signal: AbortSignal): Promise<void> {
    for (const [index, chunk] of this.#chunks.entries()) {
      const pending = this.#ahead ?? this.#utterance.prepare(chunk, signal);
      const following = this.#chunks[index + 1];
      this.#ahead = undefined;
      // Not sooner: a chunk that is read while something is heard counts as going on with it, and
      // goes on even when the engine admits nobody new. Nor does a long text crowd the phonemiser.
      this.#prepareAhead = () => {
        if (following) this.#ahead ??= this.#utterance.prepare(following, signal);
      };
      this.#reachedChars = chunk.end;
      await this.#utterance.speak(pending, signal);
      this.#prepareAhead();
    }
    await this.#utterance.flush();
  }

  #offer(audio: Uint8Array, alignment: ChunkAlignment | undefined): Promise<void> {
    this.#prepareAhead();
    this.#ready.push({ audio, alignment, reachedChars: this.#reachedChars });
    return new Promise((resolve) => {
      this.#frameTaken = resolve;
    });
  }
}
