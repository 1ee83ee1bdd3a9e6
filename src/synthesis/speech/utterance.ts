import { countCharacters } from '../../domain/characters.ts';
import { LeadingSilence } from '../audio/leading-silence.ts';
import { MAX_SYMBOLS, type SynthesisEvent } from '../engine/engine.ts';
import { type ChunkPiece, cutChunk } from '../text/chunk-pieces.ts';
import type { PreparedChunk } from '../text/front-end.ts';
import type { MarkedChunk, Pause } from '../text/markup/marked-chunker.ts';
import { heldPace } from '../text/markup/speech-rate.ts';
import { ChunkPreparer, type PendingChunk } from './chunk-preparer.ts';
import { FrameAlignments, ofPart } from './frame-alignments.ts';
import { type FrameSink, FrameWriter } from './frame-writer.ts';
import {
  alignInSpeech,
  type ChunkInSpeech,
  endMs,
  outcomeOf,
  type PieceInSpeech,
} from './in-speech.ts';
import { alignPause } from './pause-alignment.ts';
import { Playout } from './playout.ts';
import type { ChunkStanding } from './speaker.ts';
import type { SpeechPorts } from './speech-ports.ts';
import { chunkSeed, type SpeechStyle } from './speech-style.ts';
import { joinTimings } from './spoken-chunk.ts';
import { spokenSurplus } from './spoken-surplus.ts';
import type { PartStyle } from './voice-part.ts';

/**
 * A context that has been silent for longer begins anew, and may be refused then. Text of one
 * sentence comes faster, even from a model that is slow at writing.
 */
const LONGEST_PAUSE_MS = 3000;
/** Silence is encoded so much at a time. */
const SILENT_BLOCK_MS = 100;

/** See `ChunkMeter.enter`. */
interface Cost extends Pick<ChunkStanding, 'isContinuation'> {
  readonly characters: number;
  readonly surplus: number;
}

/**
 * Speaks the chunks of one context in turn, each in pieces that the engine can take. Chunks between
 * two flushes share a resampler, so that no joint between them can click, whoever says them.
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
  /** Of the engine; before it has spoken, of the output. */
  #sampleRate: number;
  /** Audio of the context so far, at that rate. */
  #spokenSamples = 0;
  #isAfterPause = false;

  constructor(style: SpeechStyle, ports: SpeechPorts, sink: FrameSink) {
    this.#style = style;
    this.#sampleRate = style.format.sampleRate;
    this.#ports = ports;
    this.#preparer = new ChunkPreparer(ports);
    this.#playout = new Playout(ports.speaker.now, ports.aheadMs);
    this.#writer = new FrameWriter(style.format, sink, (durationMs) => {
      this.#playout.add(durationMs);
    });
  }

  /** Whether the listener has heard everything, so that the next words are a new start. */
  get isHeard(): boolean {
    return this.#playout.isDry;
  }

  /**
   * Starts the front end's work on a chunk, ahead of its turn to be spoken.
   * @param part who says it, where that is not the utterance's own voice.
   */
  prepare(
    chunk: MarkedChunk,
    signal: AbortSignal,
    part: PartStyle = { style: this.#style },
  ): PendingChunk {
    const isAwaited = this.#unspokenChunks++ === 0 && this.#playout.isDry;
    const isContinuation = !isAwaited || this.#isMidSpeech;
    return this.#preparer.prepare(chunk, part, { isAwaited, isContinuation }, signal);
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

  /**
   * Is silent for as long as the text asks.
   * @throws SpeechError of the meter; the signal's reason once it is aborted.
   */
  async pause(pause: Pause, signal: AbortSignal, partIndex?: number): Promise<void> {
    const cost = { characters: countCharacters(pause.written), surplus: 0, isContinuation: true };
    try {
      await this.#takeTurn(signal);
      await this.#pay(cost, signal, (onHeard) =>
        this.#beSilent(pause, { onHeard, partIndex }, signal),
      );
    } finally {
      this.#ports.turn?.end();
    }
    this.#ports.onPaused?.(pause.durationMs);
  }

  async #beSilent(
    { written, durationMs }: Pause,
    { onHeard, partIndex }: { onHeard: () => void; partIndex: number | undefined },
    signal: AbortSignal,
  ): Promise<void> {
    const rate = this.#sampleRate;
    this.#writer.open(rate, signal);
    const start = this.#spokenSamples;
    const startMs = Math.round((start / rate) * 1000);
    const times = alignPause(written, durationMs);
    const alignments = new FrameAlignments(this.#style.alignment, times, startMs);
    const end = start + Math.round((durationMs / 1000) * rate);
    const blockSamples = Math.round((SILENT_BLOCK_MS / 1000) * rate);
    onHeard();
    this.#isAfterPause = true;
    while (this.#spokenSamples < end) {
      const samples = new Float32Array(Math.min(blockSamples, end - this.#spokenSamples));
      this.#spokenSamples += samples.length;
      const isLast = this.#spokenSamples === end;
      const toMs = ((this.#spokenSamples - start) / rate) * 1000;
      const alignment = alignments.next(isLast ? Number.POSITIVE_INFINITY : toMs);
      await this.#writer.write(samples, ofPart(alignment, partIndex));
      await this.#takeTurn(signal);
    }
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
    const { isContinuation, chars } = pending;
    const cost = { characters: chars + surplus, surplus, isContinuation };
    const pieces = cutChunk(prepared, MAX_SYMBOLS);
    await this.#pay(cost, signal, (onHeard) =>
      this.#speakPieces(pieces, { pending, place, onHeard }, signal),
    );
  }

  async #pay(
    { characters, surplus, isContinuation }: Cost,
    signal: AbortSignal,
    speak: (onHeard: () => void) => Promise<void>,
  ): Promise<void> {
    const { meter, turn } = this.#ports;
    const isWaiting = () => turn?.isWaiting ?? false;
    const standing = { isWaiting, isContinuation, signal };
    const { voiceId } = this.#style.voice;
    const admitted = await meter?.enter({ characters, surplus, voiceId }, standing);
    try {
      await speak(() => admitted?.hear());
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
      if (this.#spokenSamples > chunk.startSample)
        this.#ports.onCut?.(outcomeOf(chunk, this.#spokenSamples));
      throw thrown;
    }
    if (chunk.timings)
      this.#ports.onSpoken({ ...outcomeOf(chunk, this.#spokenSamples), timings: chunk.timings });
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

  /** Sends what the encoder still holds; the next chunk starts a new stream of the codec. */
  async flush(): Promise<void> {
    await this.#writer.flush();
  }

  #synthesise(
    { pronunciation, startsChunk }: ChunkPiece,
    { place, pending }: ChunkInSpeech,
    signal: AbortSignal,
  ): AsyncIterable<SynthesisEvent> {
    const { seed, windows } = this.#style;
    const { voice, prosody } = pending.part.style;
    const { speaker, accountId, turn } = this.#ports;
    const deadline = this.#playout.deadline();
    return speaker.engine.synthesise(
      {
        accountId,
        modelFile: voice.modelFile,
        speaker: voice.speaker,
        symbols: pronunciation.symbols,
        prosody: { ...prosody, pace: heldPace(prosody.pace * pending.pace) },
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
    timing: PieceInSpeech['timing'],
    signal: AbortSignal,
  ): PieceInSpeech {
    const isAwaited = this.#style.trimsLeadingSilence && !this.#writer.isOpen;
    // Within a chunk, or after a pause of its own length, nobody expects the one that voices begin with.
    const trims = isAwaited || this.#isAfterPause || !piece.startsChunk;
    this.#isAfterPause = false;
    this.#writer.open(timing.sampleRate, signal);
    this.#keepTimeAt(timing.sampleRate);
    if (chunk.sampleRate === 0) chunk.startSample = this.#spokenSamples;
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

  /** Before the engine spoke, silence was counted at the output's rate. */
  #keepTimeAt(sampleRate: number): void {
    this.#spokenSamples = Math.round((this.#spokenSamples * sampleRate) / this.#sampleRate);
    this.#sampleRate = sampleRate;
  }

  async #speakBlock(spoken: PieceInSpeech, samples: Float32Array): Promise<void> {
    if (samples.length === 0) return;
    const { pending, onHeard, startSample } = spoken.chunk;
    if (this.#spokenSamples === startSample) onHeard();
    spoken.alignments ??= alignInSpeech(spoken, this.#style.alignment);
    spoken.chunk.firstFrameMs ||= this.#ports.speaker.now() - pending.cutAtMs;
    this.#spokenSamples += samples.length;
    const alignment = spoken.alignments.next(endMs(spoken, this.#spokenSamples));
    await this.#writer.write(samples, ofPart(alignment, pending.part.index), pending.number);
  }
}
