import type { WindowSchedule } from '../engine/engine.ts';
import type { LatencyLevel } from '../text/chunk-policy.ts';

/**
 * Decoder frames a window (256 samples each: 8 frames are 93 ms of audio at 22 050 Hz). Small first
 * windows are heard early; large later ones waste less on the context that each must recompute.
 * The schedule depends on the level alone, never on load, so that a seed repeats its bytes.
 */
const SCHEDULES: Readonly<Record<LatencyLevel, WindowSchedule>> = {
  0: [32, 64, 96],
  1: [16, 32, 64, 96],
  2: [12, 24, 48, 96],
  3: [8, 16, 32, 64, 96],
  4: [8, 16, 32, 64, 96],
};

export function windowsForLevel(level: LatencyLevel): WindowSchedule {
  return SCHEDULES[level];
}
