import type { ChunkMeter, Speaker } from './speaker.ts';
import type { SpeakingTurn } from './speaking-turns.ts';
import type { CutChunk, SpokenChunk } from './spoken-chunk.ts';

/** What speech needs besides its style: who has it spoken, what it passes, who is told about it. */
export interface SpeechPorts {
  readonly speaker: Speaker;
  readonly accountId: string;
  /** What each chunk must pass before it is spoken; what it pays for is up to its owner. */
  readonly meter?: ChunkMeter;
  /** The context's own among those of its connection; absent where all may always speak. */
  readonly turn?: SpeakingTurn;
  /** Whether it was let in for good, so that no chunk of it is refused when the engine is full. */
  readonly isAdmitted?: boolean;
  /** See `Playout`. */
  readonly aheadMs?: () => number;
  /** Numbers the chunks of all contexts of a connection; without it, each context counts from 1. */
  readonly numberChunk?: () => number;
  readonly onSpoken: (chunk: SpokenChunk) => void;
  /** Told of silence that the text asked for. */
  readonly onPaused?: (durationMs: number) => void;
  readonly onCut?: (chunk: CutChunk) => void;
}
