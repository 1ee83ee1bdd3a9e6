import type { PieceEnding } from './pieces.ts';

/** The part of a piece's speech that is handed out, in units of predicted duration (25 ms). */
export interface Audible {
  readonly start: number;
  readonly end: number;
}

/**
 * Kokoro puts a third of a second of silence around whatever it speaks: into the pads, and into the last
 * sound, which it gives about a dozen units more than it fills. The voice sets in up to five units
 * before the first symbol's time, and has died away seven units into the last one's.
 */
const UNITS_BEFORE_FIRST = 6;
const UNITS_OF_LAST = 7;
/** Of silence after that, where there is as much: the pause that the listener hears is about twice this. */
const PAUSE_UNITS: Readonly<Record<PieceEnding, number>> = { sentence: 6, clause: 3, word: 0 };

/**
 * @param durations of all that the model read: pad, ids, pad.
 * @param pace what they were divided by.
 */
export function audiblePart(
  durations: readonly number[],
  ending: PieceEnding,
  pace: number,
): Audible {
  const silent = ending === 'word' ? 1 : 2;
  const lastSound = sum(durations.slice(0, -silent - 1));
  const kept = Math.ceil((UNITS_OF_LAST + PAUSE_UNITS[ending]) / pace);
  return {
    start: Math.max(0, (durations[0] ?? 0) - Math.ceil(UNITS_BEFORE_FIRST / pace)),
    end: Math.min(lastSound + kept, sum(durations)),
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
