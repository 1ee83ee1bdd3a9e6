import { WINDOW_SCHEDULES, type WindowSchedule } from '../engine/engine.ts';
import type { LatencyLevel } from '../text/chunk-policy.ts';

/** How the chunks of an utterance are cut into windows. */
export interface ChunkWindows {
  /** Of the chunk that somebody waits for. */
  readonly first: WindowSchedule;
  /** Of those that follow while it is played: larger windows, which cost less. */
  readonly next: WindowSchedule;
}

const THRIFTY: ChunkWindows = { first: WINDOW_SCHEDULES.thrifty, next: WINDOW_SCHEDULES.thrifty };
const BALANCED: ChunkWindows = {
  first: WINDOW_SCHEDULES.balanced,
  next: WINDOW_SCHEDULES.balanced,
};
const EAGER: ChunkWindows = { first: WINDOW_SCHEDULES.eager, next: WINDOW_SCHEDULES.balanced };

/** The schedule depends on the level alone, never on load, so that a seed repeats its bytes. */
const WINDOWS: Readonly<Record<LatencyLevel, ChunkWindows>> = {
  0: THRIFTY,
  1: BALANCED,
  2: EAGER,
  3: EAGER,
  4: EAGER,
};

export function windowsForLevel(level: LatencyLevel): ChunkWindows {
  return WINDOWS[level];
}
