import { WINDOW_SCHEDULES, type WindowSchedule } from '../engine/engine.ts';
import type { LatencyLevel } from '../text/chunk-policy.ts';

/** The schedule depends on the level alone, never on load, so that a seed repeats its bytes. */
const SCHEDULES: Readonly<Record<LatencyLevel, WindowSchedule>> = {
  0: WINDOW_SCHEDULES.thrifty,
  1: WINDOW_SCHEDULES.balanced,
  2: WINDOW_SCHEDULES.eager,
  3: WINDOW_SCHEDULES.eager,
  4: WINDOW_SCHEDULES.eager,
};

export function windowsForLevel(level: LatencyLevel): WindowSchedule {
  return SCHEDULES[level];
}
