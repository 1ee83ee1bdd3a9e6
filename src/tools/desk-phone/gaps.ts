import { firstSoundMs } from './audible.ts';
import type { DeskCallLog } from './call-log.ts';
import type { HeardRun } from './playout-rules.ts';

/** Silence between two stretches of audio. */
export interface Gap {
  readonly startMs: number;
  readonly lengthMs: number;
  /**
   * `underrun`: too short for an intended pause, the voice ran dry; `pause`: longer;
   * `opening`: short, but nothing audible had been said yet, so that nobody can tell;
   * `interruption`: the caller barged in on a carrier that knows no clear, and the bot stopped.
   */
  readonly type: 'underrun' | 'pause' | 'opening' | 'interruption';
}

export interface GapSum {
  readonly count: number;
  readonly totalMs: number;
  readonly longestMs: number;
}

/** A bot that says one thing and then another leaves more between them. */
const UNDERRUN_BELOW_MS = 1000;
/** A tenth of a sample at 8 kHz and up: no gap but the rounding of times. */
const NOTHING_MS = 0.0125;
/** A bot that stops so soon after the caller did something does it for that. */
const INTERRUPTION_MS = 1000;

/** What is silent between the runs, but for what was cut off on purpose. */
export function gapsOf(log: Pick<DeskCallLog, 'runs' | 'format' | 'clears' | 'moments'>): Gap[] {
  const gaps: Gap[] = [];
  // Servers send some silence ahead of a first word, to open the path; words may come late after it.
  let hasSpoken = false;
  for (const [index, run] of log.runs.entries()) {
    const next = log.runs[index + 1];
    if (!next) break;
    hasSpoken ||= firstSoundMs(run, log.format) !== undefined;
    const lengthMs = next.startMs - run.endMs;
    const type = gapType(log, run, lengthMs, hasSpoken);
    if (run.end === 'dry' && lengthMs > NOTHING_MS) {
      gaps.push({ startMs: run.endMs, lengthMs, type });
    }
    if (type !== 'underrun' || run.end !== 'dry') hasSpoken = false;
  }
  return gaps;
}

function gapType(
  { clears, moments }: Pick<DeskCallLog, 'clears' | 'moments'>,
  { startMs, endMs }: HeardRun,
  lengthMs: number,
  hasSpoken: boolean,
): Gap['type'] {
  if (lengthMs >= UNDERRUN_BELOW_MS) return 'pause';
  const isInterrupted = moments.some(
    ({ atMs }) => atMs >= startMs && atMs < endMs && endMs - atMs < INTERRUPTION_MS,
  );
  if (isInterrupted && clears.length === 0) return 'interruption';
  return hasSpoken ? 'underrun' : 'opening';
}

export function sumGaps(gaps: readonly Gap[]): GapSum {
  return {
    count: gaps.length,
    totalMs: gaps.reduce((sum, { lengthMs }) => sum + lengthMs, 0),
    longestMs: gaps.reduce((longest, { lengthMs }) => Math.max(longest, lengthMs), 0),
  };
}
