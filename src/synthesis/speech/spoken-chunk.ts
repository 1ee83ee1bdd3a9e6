import type { SynthesisTimings } from '../engine/engine.ts';

/** What speaking one chunk took; said once it has been spoken. */
export interface SpokenChunk {
  readonly chunkNumber: number;
  /** Of its text as written. */
  readonly chars: number;
  readonly audioMs: number;
  readonly isAwaited: boolean;
  /** From the cut of the chunk to its first frame: the server's share of the time to first byte. */
  readonly firstFrameMs: number;
  readonly timings: SynthesisTimings;
}

/** A chunk of which some was made, before it was given up. */
export type CutChunk = Omit<SpokenChunk, 'timings'>;

/** The timings of consecutive pieces as those of their chunk: it began when the first did. */
export function joinTimings(
  first: SynthesisTimings | undefined,
  second: SynthesisTimings,
): SynthesisTimings {
  if (!first) return second;
  return {
    queueMs: first.queueMs,
    firstBlockMs: first.firstBlockMs,
    textMs: first.textMs + second.textMs,
    synthMs: first.synthMs + second.synthMs,
  };
}
