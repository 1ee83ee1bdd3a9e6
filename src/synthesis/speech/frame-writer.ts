import type { OutputFormat } from '../../domain/audio.ts';
import { type Encoder, openEncoder } from '../audio/encoder.ts';
import type { ChunkAlignment } from '../text/alignment.ts';
import { joinAlignments } from './frame-alignments.ts';

/** Hands one encoded frame on; resolves when the listener's connection can take more. */
export type FrameSink = (
  audio: Uint8Array,
  alignment: ChunkAlignment | undefined,
  chunkNumber: number,
) => Promise<void>;

/** Encodes the audio of an utterance and hands it on, each frame with the times that belong to it. */
export class FrameWriter {
  readonly #format: OutputFormat;
  readonly #sink: FrameSink;
  readonly #onEncoded: (durationMs: number) => void;
  #encoder: Encoder | undefined;
  /** Of the samples that are written. */
  #sampleRate = 0;
  /** Times of audio that the encoder has not let go yet, because it does not fill a frame. */
  #unsent: ChunkAlignment | undefined;
  /** Of the chunk that the encoder was last fed with. */
  #chunkNumber = 0;

  /** @param onEncoded told how much audio the next frame adds, before it is handed on. */
  constructor(format: OutputFormat, sink: FrameSink, onEncoded: (durationMs: number) => void) {
    this.#format = format;
    this.#sink = sink;
    this.#onEncoded = onEncoded;
  }

  /** Whether audio was written since the last flush. */
  get isOpen(): boolean {
    return this.#encoder !== undefined;
  }

  /**
   * Readies the encoder, or has it take samples of another rate. What it holds is outside of JavaScript's memory, so a
   * context that ends gives it up.
   * @param sampleRate of the samples to be written.
   */
  open(sampleRate: number, signal: AbortSignal): void {
    if (this.#encoder) {
      if (sampleRate !== this.#sampleRate) this.#encoder.changeRate(sampleRate);
      this.#sampleRate = sampleRate;
      return;
    }
    this.#sampleRate = sampleRate;
    this.#encoder = openEncoder(this.#format, sampleRate);
    signal.addEventListener('abort', this.#close, { once: true });
  }

  /** @param alignment of the characters whose sound starts in these samples. */
  async write(
    samples: Float32Array,
    alignment: ChunkAlignment | undefined,
    chunkNumber = this.#chunkNumber,
  ): Promise<void> {
    const encoder = this.#encoder;
    if (!encoder) throw new Error('Audio was encoded before the encoder was opened.');
    this.#chunkNumber = chunkNumber;
    const before = encoder.encodedSamples;
    const audio = encoder.encode(samples);
    this.#onEncoded(((encoder.encodedSamples - before) / this.#format.sampleRate) * 1000);
    await this.#send(audio, alignment);
  }

  /** Hands on what the encoder still holds, and closes it. */
  async flush(): Promise<void> {
    const encoder = this.#encoder;
    this.#encoder = undefined;
    if (encoder) await this.#send(encoder.flush(), undefined);
  }

  readonly #close = (): void => {
    this.#encoder?.close();
    this.#encoder = undefined;
  };

  async #send(audio: Uint8Array, alignment: ChunkAlignment | undefined): Promise<void> {
    const due = joinAlignments(this.#unsent, alignment);
    this.#unsent = audio.length > 0 ? undefined : due;
    if (audio.length > 0) await this.#sink(audio, due, this.#chunkNumber);
  }
}
