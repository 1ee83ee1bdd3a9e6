import { type Encoder, openEncoder } from '../audio/encoder.ts';
import type { SynthesisEvent, SynthesisTimings } from '../engine/engine.ts';
import { alignChunk, type ChunkAlignment } from '../text/alignment.ts';
import type { Chunk } from '../text/chunker.ts';
import type { PreparedChunk } from '../text/front-end.ts';
import { FrameAlignments } from './frame-alignments.ts';
import { Playout } from './playout.ts';
import { chunkSeed, type Speaker, type SpeechStyle } from './speaker.ts';

/** Hands one encoded frame on; resolves when the listener's connection can take more. */
export type FrameSink = (audio: Uint8Array, alignment: ChunkAlignment | undefined) => Promise<void>;

/** A chunk whose turn to be spoken is still to come. */
export interface PendingChunk {
  readonly chars: number;
  /** When the chunker cut it. */
  readonly cutAtMs: number;
  /** Whether the listener heard nothing at that moment, so that he waits for its first frame. */
  readonly isAwaited: boolean;
  readonly prepared: Promise<PreparedChunk>;
}

/** What speaking one chunk took; said once it has been spoken. */
export interface SpokenChunk {
  readonly chars: number;
  readonly audioMs: number;
  readonly isAwaited: boolean;
  /** From the cut of the chunk to its first frame: the server's share of the time to first byte. */
  readonly firstFrameMs: number;
  readonly timings: SynthesisTimings;
}

type Timing = Extract<SynthesisEvent, { type: 'timing' }>;

/**
 * Speaks the chunks of one context in turn. Chunks between two flushes share a resampler, so that
 * no joint between them can click.
 */
export class Utterance {
  readonly #speaker: Speaker;
  readonly #style: SpeechStyle;
  readonly #sink: FrameSink;
  readonly #onSpoken: (chunk: SpokenChunk) => void;
  readonly #playout: Playout;
  #encoder: Encoder | undefined;
  #chunkIndex = 0;
  /** Audio of the context so far, at the engine's rate. */
  #spokenSamples = 0;

  constructor(
    speaker: Speaker,
    style: SpeechStyle,
    sink: FrameSink,
    onSpoken: (chunk: SpokenChunk) => void,
  ) {
    this.#speaker = speaker;
    this.#style = style;
    this.#sink = sink;
    this.#onSpoken = onSpoken;
    this.#playout = new Playout(speaker.now);
  }

  /** Whether the listener has heard everything, so that the next words are a new start for him. */
  get isHeard(): boolean {
    return this.#playout.isDry;
  }

  /** Starts the front end's work on a chunk, ahead of its turn to be spoken. */
  prepare(chunk: Chunk, signal: AbortSignal): PendingChunk {
    const { voice, normalise } = this.#style;
    const language = voice.language.split('-')[0] ?? voice.language;
    const prepared = this.#speaker.frontEnd.prepare(
      chunk.text,
      { language, espeakVoice: voice.phonemeLanguage, normalise },
      signal,
    );
    // The failure is reported when the chunk's turn comes; until then it must not count as unhandled.
    prepared.catch(() => undefined);
    return {
      chars: chunk.text.length,
      cutAtMs: this.#speaker.now(),
      isAwaited: this.#playout.isDry,
      prepared,
    };
  }

  /** @throws SpeechError of the front end or the engine; the signal's reason once it is aborted. */
  async speak(pending: PendingChunk, signal: AbortSignal): Promise<void> {
    const prepared = await pending.prepared;
    const startSample = this.#spokenSamples;
    let timing: Timing | undefined;
    let alignments: FrameAlignments | undefined;
    let firstFrameMs = 0;
    for await (const event of this.#synthesise(prepared, !pending.isAwaited, signal)) {
      switch (event.type) {
        case 'timing':
          timing = event;
          alignments = this.#align(prepared, event);
          this.#encoder ??= openEncoder(this.#style.format, event.sampleRate);
          break;
        case 'block':
          if (!timing || !alignments) throw new Error('The engine sent a block before its timing.');
          this.#spokenSamples += event.samples.length;
          firstFrameMs ||= this.#speaker.now() - pending.cutAtMs;
          await this.#send(
            this.#encode(event.samples),
            alignments.next(endMs(this.#spokenSamples - startSample, timing)),
          );
          break;
        case 'end':
          this.#report(pending, event.timings, firstFrameMs, timing);
      }
    }
  }

  /** Sends what the resampler still holds; the next chunk starts a new utterance. */
  async flush(): Promise<void> {
    const encoder = this.#encoder;
    this.#encoder = undefined;
    if (encoder) await this.#send(encoder.flush(), undefined);
  }

  #synthesise(
    { pronunciation }: PreparedChunk,
    isContinuation: boolean,
    signal: AbortSignal,
  ): AsyncIterable<SynthesisEvent> {
    const { voice, delivery, seed, windows } = this.#style;
    return this.#speaker.engine.synthesise(
      {
        modelFile: voice.modelFile,
        speaker: voice.speaker,
        symbols: pronunciation.symbols,
        delivery,
        seed: chunkSeed(seed, this.#chunkIndex++),
        isContinuation,
        windows,
        deadline: this.#playout.deadline(),
      },
      signal,
    );
  }

  #align(prepared: PreparedChunk, { symbolSamples, sampleRate }: Timing): FrameAlignments {
    const before = this.#spokenSamples;
    const chunk = alignChunk(prepared, symbolSamples, sampleRate, before);
    const startMs = Math.round((before / sampleRate) * 1000);
    return new FrameAlignments(this.#style.alignment, chunk, startMs);
  }

  #encode(samples: Float32Array): Uint8Array {
    const encoder = this.#encoder;
    if (!encoder) throw new Error('Audio was encoded before the encoder was opened.');
    const before = encoder.encodedSamples;
    const audio = encoder.encode(samples);
    this.#playout.add(((encoder.encodedSamples - before) / this.#style.format.sampleRate) * 1000);
    return audio;
  }

  async #send(audio: Uint8Array, alignment: ChunkAlignment | undefined): Promise<void> {
    if (audio.length > 0) await this.#sink(audio, alignment);
  }

  #report(
    { chars, isAwaited }: PendingChunk,
    timings: SynthesisTimings,
    firstFrameMs: number,
    timing: Timing | undefined,
  ): void {
    const audioMs = timing ? (timing.totalSamples / timing.sampleRate) * 1000 : 0;
    this.#onSpoken({ chars, audioMs, isAwaited, firstFrameMs, timings });
  }
}

/** Where in its chunk a frame ends; everything that is left belongs to the last one. */
function endMs(samples: number, { totalSamples, sampleRate }: Timing): number {
  return samples >= totalSamples ? Number.POSITIVE_INFINITY : (samples / sampleRate) * 1000;
}
