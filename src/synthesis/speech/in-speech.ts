import type { LeadingSilence } from '../audio/leading-silence.ts';
import type { EnginePlace, SynthesisEvent, SynthesisTimings } from '../engine/engine.ts';
import { alignPiece } from '../text/alignment.ts';
import type { ChunkPiece } from '../text/chunk-pieces.ts';
import type { PendingChunk } from './chunk-preparer.ts';
import { type AlignmentStyle, FrameAlignments, withoutLead } from './frame-alignments.ts';
import type { CutChunk } from './spoken-chunk.ts';

export type Timing = Extract<SynthesisEvent, { type: 'timing' }>;

/** A chunk that is being spoken. */
export interface ChunkInSpeech {
  readonly pending: PendingChunk;
  readonly place: EnginePlace | undefined;
  /** To be called when its first audio is sent. */
  readonly onHeard: () => void;
  /** Audio of the context before this chunk, at the engine's rate. */
  startSample: number;
  sampleRate: number;
  firstFrameMs: number;
  timings: SynthesisTimings | undefined;
}

/** The piece of it that the engine is at. */
export interface PieceInSpeech {
  readonly piece: ChunkPiece;
  readonly chunk: ChunkInSpeech;
  readonly timing: Timing;
  readonly silence: LeadingSilence | undefined;
  /** Audio of the context before this piece, at the engine's rate. */
  readonly startSample: number;
  /** Made when the first frame is due: only then is it known how much silence was dropped. */
  alignments: FrameAlignments | undefined;
}

/** The times of a piece, to be asked for when its first sound is due. */
export function alignInSpeech(
  { piece, timing, silence, startSample }: PieceInSpeech,
  style: AlignmentStyle,
): FrameAlignments {
  const { symbolSamples, sampleRate } = timing;
  const heard = withoutLead(symbolSamples, silence?.trimmedSamples ?? 0);
  const alignment = alignPiece(piece, heard, sampleRate, startSample);
  const startMs = Math.round((startSample / sampleRate) * 1000);
  return new FrameAlignments(style, alignment, startMs);
}

/**
 * Where in its piece the audio so far ends; everything that is left belongs to the last frame.
 * @param spokenSamples audio of the context so far.
 */
export function endMs(
  { timing, silence, startSample }: PieceInSpeech,
  spokenSamples: number,
): number {
  const samples = spokenSamples - startSample;
  const isLast = samples + (silence?.trimmedSamples ?? 0) >= timing.totalSamples;
  return isLast ? Number.POSITIVE_INFINITY : (samples / timing.sampleRate) * 1000;
}

/** What became of a chunk, all or part of which was spoken. */
export function outcomeOf(
  { pending, sampleRate, startSample, firstFrameMs }: ChunkInSpeech,
  spokenSamples: number,
): CutChunk {
  const audioMs = ((spokenSamples - startSample) / sampleRate) * 1000;
  const { number: chunkNumber, chars, isAwaited } = pending;
  return { chunkNumber, chars, audioMs, isAwaited, firstFrameMs };
}
