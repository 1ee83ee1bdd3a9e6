import { LeadingSilence } from '../audio/leading-silence.ts';
import {
  type EnginePlace,
  MAX_SYMBOLS,
  type SynthesisEvent,
  type SynthesisTimings,
} from '../engine/engine.ts';
import { alignPiece } from '../text/alignment.ts';
import { type ChunkPiece, cutChunk } from '../text/chunk-pieces.ts';
import type { Chunk } from '../text/chunker.ts';
import type { PreparedChunk } from '../text/front-end.ts';
import { ChunkPreparer, type PendingChunk } from './chunk-preparer.ts';
import { FrameAlignments, withoutLead } from './frame-alignments.ts';
import { type FrameSink, FrameWriter } from './frame-writer.ts';
import { Playout } from './playout.ts';
import type { SpeechPorts } from './speech-ports.ts';
import { chunkSeed, type SpeechStyle } from './speech-style.ts';
import { type CutChunk, joinTimings } from './spoken-chunk.ts';
import { spokenSurplus } from './spoken-surplus.ts';

/**
 * A context that has been silent for longer begins anew, and may be refused then. Text of one
 * sentence comes faster, even from a model that is slow at writing.
 */
const LONGEST_PAUSE_MS = 3000;

type Timing = Extract<SynthesisEvent, { type: 'timing' }>;

interface ChunkInSpeech {
  readonly pending: PendingChunk;
  readonly place: EnginePlace | undefined;
  /** To be called when its first audio is sent. */
  readonly onHeard: () => void;
  /** Audio of the context before this chunk, at the engine's rate. */
  readonly startSample: number;
  sampleRate: number;
  firstFrameMs: number;
  timings: SynthesisTimings | undefined;
}

interface PieceInSpeech {
  readonly piece: ChunkPiece;
  readonly chunk: ChunkInSpeech;
  readonly timing: Timing;
  readonly silence: LeadingSilence | undefined;
  /** Audio of the context before this piece, at the engine's rate. */
  readonly startSample: number;
  /** Made when the first frame is due: only then is it known how much silence was dropped. */
  alignments: FrameAlignments | undefined;
}

/**
 * Speaks the chunks of one context in turn, each in pieces that the engine can take. Chunks between
 * two flushes share a resampler, so that no joint between them can click.
 */
export class Utterance {
  readonly #style: SpeechStyle;
  readonly #ports: SpeechPorts;
  readonly #writer: FrameWriter;
  readonly #playout: Playout;
  readonly #preparer: ChunkPreparer;
  /** Pieces that have had a seed. */
  #pieceIndex = 0;
  #unspokenChunks = 0;
  /** Audio of the context so far, at the engine's rate. */
  #spokenSamples = 0;

  constructor(style: SpeechStyle, ports: SpeechPorts, sink: FrameSink) {
    this.#style = style;
    this.#ports = ports;
    this.#preparer = new ChunkPreparer(style, ports);
    this.#playout = new Playout(ports.speaker.now, ports.aheadMs);
    this.#writer = new FrameWriter(style.format, sink, (durationMs) => {
      this.#playout.add(durationMs);
    });
  }

  /** Whether the listener has heard everything, so that the next words are a new start. */
  get isHeard(): boolean {
    return this.#playout.isDry;
  }

  /** Starts the front end's work on a chunk, ahead of its turn to be spoken. */
  prepare(chunk: Chunk, signal: AbortSignal): PendingChunk {
    const isAwaited = this.#unspokenChunks++ === 0 && this.#playout.isDry;
    const isContinuation = !isAwaited || this.#isMidSpeech;
    return this.#preparer.prepare(chunk, { isAwaited, isContinuation }, signal);
  }

  get #isMidSpeech(): boolean {
    const isHeard = this.#spokenSamples > 0;
    return isHeard && this.#ports.speaker.now() - this.#playout.dryAtMs <= LONGEST_PAUSE_MS;
  }

  /** @throws SpeechError of the front end or the engine; the signal's reason once it is aborted. */
  async speak(pending: PendingChunk, signal: AbortSignal): Promise<void> {
    const place = await pending.place;
    try {
      const prepared = await pending.prepared;
      await this.#takeTurn(signal);
      await this.#speakPaid(prepared, { pending, place }, signal);
    } finally {
      this.#ports.turn?.end();
      place?.release();
    }
    this.#unspokenChunks--;
  }

  async #takeTurn(signal: AbortSignal): Promise<void> {
    await this.#ports.turn?.take(this.#playout.dryAtMs, signal);
  }

  async #speakPaid(
    prepared: PreparedChunk,
    { pending, place }: Pick<ChunkInSpeech, 'pending' | 'place'>,
    signal: AbortSignal,
  ): Promise<void> {
    const surplus = spokenSurplus(pending.chars, prepared.pronunciation.symbols.length);
    const { meter, turn } = this.#ports;
    const { isContinuation, chars } = pending;
    const isWaiting = () => turn?.isWaiting ?? false;
    const standing = { isWaiting, isContinuation, signal };
    const admitted = await meter?.enter(chars + surplus, surplus, standing);
    const onHeard = () => admitted?.hear();
    try {
      await this.#speakPieces(cutChunk(prepared, MAX_SYMBOLS), { pending, place, onHeard }, signal);
    } finally {
      await admitted?.end();
    }
  }

  async #speakPieces(
    pieces: readonly ChunkPiece[],
    source: Pick<ChunkInSpeech, 'pending' | 'place' | 'onHeard'>,
    signal: AbortSignal,
  ): Promise<void> {
    const chunk: ChunkInSpeech = {
      ...source,
      startSample: this.#spokenSamples,
      sampleRate: 0,
      firstFrameMs: 0,
      timings: undefined,
    };
    try {
      for (const piece of pieces) await this.#speakPiece(piece, chunk, signal);
    } catch (thrown) {
      if (this.#spokenSamples > chunk.startSample) this.#ports.onCut?.(this.#outcome(chunk));
      throw thrown;
    }
    if (chunk.timings) this.#ports.onSpoken({ ...this.#outcome(chunk), timings: chunk.timings });
  }

  async #speakPiece(piece: ChunkPiece, chunk: ChunkInSpeech, signal: AbortSignal): Promise<void> {
    let spoken: PieceInSpeech | undefined;
    for await (const event of this.#synthesise(piece, chunk, signal)) {
      if (event.type === 'timing') {
        spoken = this.#begin(piece, chunk, event, signal);
      } else if (spoken && event.type === 'block') {
        await this.#speakBlock(spoken, spoken.silence?.trim(event.samples) ?? event.samples);
        await this.#takeTurn(signal);
      } else if (spoken && event.type === 'end') {
        if (spoken.silence) await this.#speakBlock(spoken, spoken.silence.flush());
        chunk.timings = joinTimings(chunk.timings, event.timings);
      }
    }
  }

  /** Sends what the encoder still holds; the next chunk starts a new utterance. */
  async flush(): Promise<void> {
    await this.#writer.flush();
  }

  #synthesise(
    { pronunciation, startsChunk }: ChunkPiece,
    { place }: ChunkInSpeech,
    signal: AbortSignal,
  ): AsyncIterable<SynthesisEvent> {
    const { voice, prosody, seed, windows } = this.#style;
    const { speaker, accountId, turn } = this.#ports;
    const deadline = this.#playout.deadline();
    return speaker.engine.synthesise(
      {
        accountId,
        modelFile: voice.modelFile,
        speaker: voice.speaker,
        symbols: pronunciation.symbols,
        prosody,
        seed: chunkSeed(seed, this.#pieceIndex++),
        place: startsChunk ? place : undefined,
        // By its place in the utterance, not by what is still to play: a seed must repeat its bytes.
        windows: this.#writer.isOpen ? windows.next : windows.first,
        deadline: turn?.yielding(deadline) ?? deadline,
      },
      signal,
    );
  }

  #begin(
    piece: ChunkPiece,
    chunk: ChunkInSpeech,
    timing: Timing,
    signal: AbortSignal,
  ): PieceInSpeech {
    const isAwaited = this.#style.trimsLeadingSilence && !this.#writer.isOpen;
    // Within a chunk nobody expects the pause that a voice makes before it begins.
    const trims = isAwaited || !piece.startsChunk;
    this.#writer.open(timing.sampleRate, signal);
    chunk.sampleRate = timing.sampleRate;
    return {
      piece,
      chunk,
      timing,
      silence: trims ? new LeadingSilence(timing.sampleRate) : undefined,
      startSample: this.#spokenSamples,
      alignments: undefined,
    };
  }

  async #speakBlock(spoken: PieceInSpeech, samples: Float32Array): Promise<void> {
    if (samples.length === 0) return;
    const { pending, onHeard, startSample } = spoken.chunk;
    if (this.#spokenSamples === startSample) onHeard();
    spoken.alignments ??= this.#align(spoken);
    spoken.chunk.firstFrameMs ||= this.#ports.speaker.now() - pending.cutAtMs;
    this.#spokenSamples += samples.length;
    const alignment = spoken.alignments.next(this.#endMs(spoken));
    await this.#writer.write(samples, alignment, pending.number);
  }

  #align({ piece, timing, silence, startSample }: PieceInSpeech): FrameAlignments {
    const { symbolSamples, sampleRate } = timing;
    const heard = withoutLead(symbolSamples, silence?.trimmedSamples ?? 0);
    const alignment = alignPiece(piece, heard, sampleRate, startSample);
    const startMs = Math.round((startSample / sampleRate) * 1000);
    return new FrameAlignments(this.#style.alignment, alignment, startMs);
  }

  /** Where in its piece the audio so far ends; everything that is left belongs to the last frame. */
  #endMs({ timing, silence, startSample }: PieceInSpeech): number {
    const samples = this.#spokenSamples - startSample;
    const isLast = samples + (silence?.trimmedSamples ?? 0) >= timing.totalSamples;
    return isLast ? Number.POSITIVE_INFINITY : (samples / timing.sampleRate) * 1000;
  }

  #outcome({ pending, sampleRate, startSample, firstFrameMs }: ChunkInSpeech): CutChunk {
    const audioMs = ((this.#spokenSamples - startSample) / sampleRate) * 1000;
    const { number: chunkNumber, chars, isAwaited } = pending;
    return { chunkNumber, chars, audioMs, isAwaited, firstFrameMs };
  }
}
