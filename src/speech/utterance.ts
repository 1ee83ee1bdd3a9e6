import { type Encoder, openEncoder } from '../audio/encoder.ts';
import type { SynthesisEvent } from '../engine/engine.ts';
import { alignChunk, type ChunkAlignment } from '../text/alignment.ts';
import type { Chunk } from '../text/chunker.ts';
import type { PreparedChunk } from '../text/front-end.ts';
import { Playout } from './playout.ts';
import { chunkSeed, type Speaker, type SpeechStyle } from './speaker.ts';

/** Hands one encoded frame on; resolves when the listener's connection can take more. */
export type FrameSink = (audio: Uint8Array, alignment: ChunkAlignment | undefined) => Promise<void>;

/**
 * Speaks the chunks of one context in turn. Chunks between two flushes share a resampler, so that
 * no joint between them can click.
 */
export class Utterance {
  readonly #speaker: Speaker;
  readonly #style: SpeechStyle;
  readonly #sink: FrameSink;
  readonly #playout: Playout;
  #encoder: Encoder | undefined;
  #chunkIndex = 0;

  constructor(speaker: Speaker, style: SpeechStyle, sink: FrameSink) {
    this.#speaker = speaker;
    this.#style = style;
    this.#sink = sink;
    this.#playout = new Playout(speaker.now);
  }

  /** Whether the listener has heard everything, so that the next words are a new start for him. */
  get isHeard(): boolean {
    return this.#playout.isDry;
  }

  /** Starts the front end's work on a chunk, ahead of its turn to be spoken. */
  prepare(chunk: Chunk, signal: AbortSignal): Promise<PreparedChunk> {
    const { voice, normalise } = this.#style;
    const prepared = this.#speaker.frontEnd.prepare(
      chunk.text,
      {
        language: voice.language.split('-')[0] ?? voice.language,
        espeakVoice: voice.phonemeLanguage,
        normalise,
      },
      signal,
    );
    // The failure is reported when the chunk's turn comes; until then it must not count as unhandled.
    prepared.catch(() => undefined);
    return prepared;
  }

  /** @throws SpeechError of the front end or the engine; the signal's reason once it is aborted. */
  async speak(prepared: PreparedChunk, signal: AbortSignal): Promise<void> {
    const { voice, delivery, seed, windows } = this.#style;
    const { symbols } = prepared.pronunciation;
    if (symbols.length === 0) return;
    const events = this.#speaker.engine.synthesise(
      {
        modelFile: voice.modelFile,
        speaker: voice.speaker,
        symbols,
        delivery,
        seed: chunkSeed(seed, this.#chunkIndex++),
        windows,
        deadline: this.#playout.deadline(),
      },
      signal,
    );
    let alignment: ChunkAlignment | undefined;
    for await (const event of events) {
      if (event.type === 'timing') {
        alignment = this.#align(prepared, event);
      } else if (event.type === 'block') {
        const sent = await this.#send(this.#encode(event.samples), alignment);
        if (sent) alignment = undefined;
      }
    }
  }

  /** Sends what the resampler still holds; the next chunk starts a new utterance. */
  async flush(): Promise<void> {
    const encoder = this.#encoder;
    this.#encoder = undefined;
    if (encoder) await this.#send(encoder.flush(), undefined);
  }

  #align(
    prepared: PreparedChunk,
    timing: Extract<SynthesisEvent, { type: 'timing' }>,
  ): ChunkAlignment {
    this.#encoder ??= openEncoder(this.#style.format, timing.sampleRate);
    return alignChunk(prepared, timing.symbolSamples, timing.sampleRate);
  }

  #encode(samples: Float32Array): Uint8Array {
    if (!this.#encoder) throw new Error('The engine sent a block before its timing.');
    const before = this.#encoder.encodedSamples;
    const audio = this.#encoder.encode(samples);
    const encodedMs =
      ((this.#encoder.encodedSamples - before) / this.#style.format.sampleRate) * 1000;
    this.#playout.add(encodedMs);
    return audio;
  }

  async #send(audio: Uint8Array, alignment: ChunkAlignment | undefined): Promise<boolean> {
    if (audio.length === 0) return false;
    await this.#sink(audio, alignment);
    return true;
  }
}
