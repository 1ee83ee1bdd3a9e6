import type { Arrival } from './speech-socket.ts';
import { durationMs } from './utterance.ts';

const TICK_MS = 20;

export interface PlayoutReport {
  /** Times between one audio message and the next. */
  readonly gapsMs: readonly number[];
  /** How often the listener's buffer ran dry before the end. */
  readonly underruns: number;
  /** Frames of 20 ms that had to be played as silence. */
  readonly missingFrames: number;
}

/** Plays audio as a carrier does: from the first message on, one frame every 20 ms, silence when dry. */
export function playOut(arrivals: readonly Arrival[], formatName: string): PlayoutReport {
  const gapsMs: number[] = [];
  let underruns = 0;
  let missingFrames = 0;
  let previousMs: number | undefined;
  let dryAtMs: number | undefined;
  for (const { atMs, audio } of arrivals) {
    if (previousMs !== undefined) gapsMs.push(atMs - previousMs);
    dryAtMs ??= atMs;
    if (atMs > dryAtMs) {
      const missing = Math.ceil((atMs - dryAtMs) / TICK_MS);
      underruns++;
      missingFrames += missing;
      dryAtMs += missing * TICK_MS;
    }
    dryAtMs += durationMs(audio.length, formatName);
    previousMs = atMs;
  }
  return { gapsMs, underruns, missingFrames };
}
