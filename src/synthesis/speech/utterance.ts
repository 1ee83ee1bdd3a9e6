import { type Encoder, openEncoder } from '../audio/encoder.ts';
import { LeadingSilence } from '../audio/leading-silence.ts';
import type { SynthesisEvent, SynthesisTimings } from '../engine/engine.ts';
import { alignChunk, type ChunkAlignment } from '../text/alignment.ts';
import type { Chunk } from '../text/chunker.ts';
import type { PreparedChunk } from '../text/front-end.ts';
import { FrameAlignments, joinAlignments, withoutLead } from './frame-alignments.ts';
import { Playout } from './playout.ts';
import { chunkSeed, type Speaker, type SpeechStyle } from './speaker.ts';

/** Hands one encoded frame on; resolves when the listener's connection can take more. */
export type FrameSink = (
  audio: Uint8Array,
  alignment: ChunkAlignment | undefined,
  chunkNumber: number,
) => Promise<void>;

/** A chunk whose turn to be spoken is still to come. */
export interface PendingChunk {
  /** See `SpeechStyle.numberChunk`. */
  readonly number: number;
  readonly chars: number;
  /** When the chunker cut it. */
  readonly cutAtMs: number;
  /** Whether the listener then heard nothing and no chunk went before, so that he waits for this one. */
  readonly isAwaited: boolean;
  readonly prepared: Promise<PreparedChunk>;
}

/** What speaking one chunk took; said once it has been spoken. */
export interface SpokenChunk {
  readonly chunkNumber: number;
  readonly chars: number;
  readonly audioMs: number;
  readonly isAwaited: boolean;
  /** From the cut of the chunk to its first frame: the server's share of the time to first byte. */
  readonly firstFrameMs: number;
  readonly timings: SynthesisTimings;
}

/** A chunk of which some was made, before it was given up. */
export type CutChunk = Omit<SpokenChunk, 'timings'>;

type Timing = Extract<SynthesisEvent, { type: 'timing' }>;

interface ChunkInSpeech {
  readonly pending: PendingChunk;
  readonly timing: Timing;
  /** To be called when its first audio is sent. */
  readonly onHeard: () => void;
  readonly silence: LeadingSilence | undefined;
  /** Audio of the context before this chunk, at the engine's rate. */
  readonly startSample: number;
  /** Made when the first frame is due: only then is it known how much silence was dropped. */
  alignments: FrameAlignments | undefined;
  firstFrameMs: number;
}

/**
 * Speaks the chunks of one context in turn. Chunks between two flushes share a resampler, so that
 * no joint between them can click.
 */
export class Utterance {
  readonly #speaker: Speaker;
  readonly #style: SpeechStyle;
  readonly #sink: FrameSink;
  readonly #onSpoken: (chunk: SpokenChunk) => void;
  readonly #onCut: ((chunk: CutChunk) => void) | undefined;
  readonly #playout: Playout;
  #encoder: Encoder | undefined;
  /** Times of audio that the encoder has not let go yet, because it does not fill a frame. */
  #unsent: ChunkAlignment | undefined;
  #chunkIndex = 0;
  #preparedChunks = 0;
  #unspokenChunks = 0;
  /** Of the chunk that the encoder was last fed with. */
  #chunkNumber = 0;
  /** Audio of the context so far, at the engine's rate. */
  #spokenSamples = 0;

  constructor(
    speaker: Speaker,
    style: SpeechStyle,
    sink: FrameSink,
    onSpoken: (chunk: SpokenChunk) => void,
    onCut?: (chunk: CutChunk) => void,
  ) {
    this.#speaker = speaker;
    this.#style = style;
    this.#sink = sink;
    this.#onSpoken = onSpoken;
    this.#onCut = onCut;
    this.#playout = new Playout(speaker.now, style.aheadMs);
  }

  /** Whether the listener has heard everything, so that the next words are a new start for him. */
  get isHeard(): boolean {
    return this.#playout.isDry;
  }

  /** Starts the front end's work on a chunk, ahead of its turn to be spoken. */
  prepare(chunk: Chunk, signal: AbortSignal): PendingChunk {
    const { voice, normalise, dictionaries } = this.#style;
    const language = voice.language.split('-')[0] ?? voice.language;
    const prepared = this.#speaker.frontEnd.prepare(
      chunk.text,
      {
        language,
        espeakVoice: voice.phonemeLanguage,
        normalise,
        ...(dictionaries && { dictionaries }),
      },
      signal,
    );
    // The failure is reported when the chunk's turn comes; until then it must not count as unhandled.
    prepared.catch(() => undefined);
    const isNext = this.#unspokenChunks++ === 0;
    this.#preparedChunks++;
    return {
      number: this.#style.numberChunk?.() ?? this.#preparedChunks,
      chars: chunk.text.length,
      cutAtMs: this.#speaker.now(),
      isAwaited: isNext && this.#playout.isDry,
      prepared,
    };
  }

  /** @throws SpeechError of the front end or the engine; the signal's reason once it is aborted. */
  async speak(pending: PendingChunk, signal: AbortSignal): Promise<void> {
    const prepared = await pending.prepared;
    await this.#takeTurn(signal);
    try {
      await this.#speakPaid(prepared, pending, signal);
    } finally {
      this.#style.turn?.end();
    }
    this.#unspokenChunks--;
  }

  async #takeTurn(signal: AbortSignal): Promise<void> {
    await this.#style.turn?.take(this.#playout.dryAtMs, signal);
  }

  async #speakPaid(
    prepared: PreparedChunk,
    pending: PendingChunk,
    signal: AbortSignal,
  ): Promise<void> {
    const { toll, turn } = this.#style;
    const admitted = await toll?.enter(pending.chars, () => turn?.isWaiting ?? false);
    try {
      await this.#speakPrepared(prepared, pending, signal, () => admitted?.hear());
    } finally {
      await admitted?.end();
    }
  }

  async #speakPrepared(
    prepared: PreparedChunk,
    pending: PendingChunk,
    signal: AbortSignal,
    onHeard: () => void,
  ): Promise<void> {
    let spoken: ChunkInSpeech | undefined;
    try {
      for await (const event of this.#synthesise(prepared, !pending.isAwaited, signal)) {
        if (event.type === 'timing') {
          spoken = this.#begin(pending, event, signal, onHeard);
        } else if (spoken) {
          await this.#speakEvent(prepared, spoken, event);
        }
        if (event.type === 'block') await this.#takeTurn(signal);
      }
    } catch (thrown) {
      if (spoken && this.#spokenSamples > spoken.startSample) this.#onCut?.(this.#outcome(spoken));
      throw thrown;
    }
  }

  async #speakEvent(
    prepared: PreparedChunk,
    spoken: ChunkInSpeech,
    event: Exclude<SynthesisEvent, Timing>,
  ): Promise<void> {
    const { silence } = spoken;
    if (event.type === 'block') {
      await this.#speakBlock(prepared, spoken, silence?.trim(event.samples) ?? event.samples);
    } else {
      if (silence) await this.#speakBlock(prepared, spoken, silence.flush());
      this.#onSpoken({ ...this.#outcome(spoken), timings: event.timings });
    }
  }

  /** Sends what the encoder still holds; the next chunk starts a new utterance. */
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
    const { accountId, voice, delivery, seed, windows, isAdmitted, turn } = this.#style;
    const deadline = this.#playout.deadline();
    return this.#speaker.engine.synthesise(
      {
        accountId,
        modelFile: voice.modelFile,
        speaker: voice.speaker,
        symbols: pronunciation.symbols,
        delivery,
        seed: chunkSeed(seed, this.#chunkIndex++),
        isContinuation: isContinuation || isAdmitted === true,
        // By its place in the utterance, not by what is still to play: a seed must repeat its bytes.
        windows: this.#encoder ? windows.next : windows.first,
        deadline: turn?.yielding(deadline) ?? deadline,
      },
      signal,
    );
  }

  #begin(
    pending: PendingChunk,
    timing: Timing,
    signal: AbortSignal,
    onHeard: () => void,
  ): ChunkInSpeech {
    const trims = this.#style.trimsLeadingSilence && !this.#encoder;
    this.#openEncoder(timing.sampleRate, signal);
    return {
      pending,
      timing,
      onHeard,
      silence: trims ? new LeadingSilence(timing.sampleRate) : undefined,
      startSample: this.#spokenSamples,
      alignments: undefined,
      firstFrameMs: 0,
    };
  }

  async #speakBlock(
    prepared: PreparedChunk,
    spoken: ChunkInSpeech,
    samples: Float32Array,
  ): Promise<void> {
    if (samples.length === 0) return;
    if (!spoken.alignments) spoken.onHeard();
    spoken.alignments ??= this.#align(prepared, spoken);
    spoken.firstFrameMs ||= this.#speaker.now() - spoken.pending.cutAtMs;
    this.#spokenSamples += samples.length;
    this.#chunkNumber = spoken.pending.number;
    const alignment = spoken.alignments.next(this.#endMs(spoken));
    await this.#send(this.#encode(samples), alignment);
  }

  #align(prepared: PreparedChunk, { timing, silence, startSample }: ChunkInSpeech) {
    const { symbolSamples, sampleRate } = timing;
    const heard = withoutLead(symbolSamples, silence?.trimmedSamples ?? 0);
    const chunk = alignChunk(prepared, heard, sampleRate, startSample);
    const startMs = Math.round((startSample / sampleRate) * 1000);
    return new FrameAlignments(this.#style.alignment, chunk, startMs);
  }

  /** Where in its chunk the audio so far ends; everything that is left belongs to the last frame. */
  #endMs({ timing, silence, startSample }: ChunkInSpeech): number {
    const samples = this.#spokenSamples - startSample;
    const isLast = samples + (silence?.trimmedSamples ?? 0) >= timing.totalSamples;
    return isLast ? Number.POSITIVE_INFINITY : (samples / timing.sampleRate) * 1000;
  }

  /** What an encoder holds is outside of JavaScript's memory, so a context that ends gives it up. */
  #openEncoder(sampleRate: number, signal: AbortSignal): void {
    if (this.#encoder) return;
    this.#encoder = openEncoder(this.#style.format, sampleRate);
    signal.addEventListener('abort', this.#closeEncoder, { once: true });
  }

  readonly #closeEncoder = (): void => {
    this.#encoder?.close();
    this.#encoder = undefined;
  };

  #encode(samples: Float32Array): Uint8Array {
    const encoder = this.#encoder;
    if (!encoder) throw new Error('Audio was encoded before the encoder was opened.');
    const before = encoder.encodedSamples;
    const audio = encoder.encode(samples);
    this.#playout.add(((encoder.encodedSamples - before) / this.#style.format.sampleRate) * 1000);
    return audio;
  }

  async #send(audio: Uint8Array, alignment: ChunkAlignment | undefined): Promise<void> {
    const due = joinAlignments(this.#unsent, alignment);
    this.#unsent = audio.length > 0 ? undefined : due;
    if (audio.length > 0) await this.#sink(audio, due, this.#chunkNumber);
  }

  #outcome({ pending, timing, startSample, firstFrameMs }: ChunkInSpeech): CutChunk {
    const audioMs = ((this.#spokenSamples - startSample) / timing.sampleRate) * 1000;
    const { number: chunkNumber, chars, isAwaited } = pending;
    return { chunkNumber, chars, audioMs, isAwaited, firstFrameMs };
  }
}
