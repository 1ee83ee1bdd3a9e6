import { firstSoundMs } from './audible.ts';
import type { CallEnding, CallerMoment, DeskCallLog, Finding } from './call-log.ts';
import { type Gap, type GapSum, gapsOf, sumGaps } from './gaps.ts';
import type { HeardRun } from './playout-rules.ts';

/** Audio that is sent ahead of the ear; milliseconds. */
export interface LeadReport {
  readonly p50: number;
  readonly max: number;
  /** How much it grew over the longest stretch; null when that is too short to tell. */
  readonly driftMs: number | null;
}

/** What came of something that the caller did. */
export interface MomentReport {
  readonly type: 'key' | 'speech';
  readonly label: string;
  readonly atMs: number;
  /** Until the bot was heard no more; null when it was not speaking, or never stopped. */
  readonly silentAfterMs: number | null;
  /** Until the first audio that was sent after that; null when there was none. */
  readonly answeredAfterMs: number | null;
}

/** One call in figures. Times are milliseconds, and of the call where they are points in time. */
export interface CallReport {
  readonly carrier: string;
  readonly format: string;
  readonly durationMs: number;
  readonly endedBy: CallEnding['by'] | null;
  readonly ending: string | null;
  /** From the carrier's greeting to the first message with audio. */
  readonly firstAudioMs: number | null;
  /** From the carrier's greeting to the first sound above −40 dB of full scale at the ear. */
  readonly firstSoundMs: number | null;
  readonly messages: number;
  readonly bytes: number;
  readonly heardMs: number;
  /** Audio that did not fit into the carrier's buffer. */
  readonly droppedMs: number;
  /** Silences of a second and more between what was heard, except those that a clear made. */
  readonly pauses: GapSum;
  /** Those that were too short to have been meant: the voice ran dry. */
  readonly underruns: GapSum;
  readonly lead: LeadReport | null;
  readonly marks: { readonly asked: number; readonly answered: number; readonly cleared: number };
  readonly clears: ReadonlyArray<{
    readonly atMs: number;
    /** Null when nothing was being heard. */
    readonly silentAfterMs: number | null;
    readonly droppedMs: number;
  }>;
  readonly moments: readonly MomentReport[];
  readonly findings: readonly Finding[];
}

/** Below this, playing was not settled; a stretch that is shorter tells nothing about drift. */
const SETTLED_MS = 1000;
const WINDOW_MS = 2000;
const SHORTEST_DRIFT_RUN_MS = SETTLED_MS + 2 * WINDOW_MS;

export function reportOf(log: DeskCallLog): CallReport {
  const gaps = gapsOf(log);
  const sumOf = (type: Gap['type']) => sumGaps(gaps.filter((gap) => gap.type === type));
  return {
    carrier: log.carrier,
    format: log.format.name,
    durationMs: log.durationMs,
    endedBy: log.ending?.by ?? null,
    ending: log.ending?.reason ?? null,
    firstAudioMs: log.arrivals[0]?.atMs ?? null,
    firstSoundMs: firstSoundOf(log),
    messages: log.arrivals.length,
    bytes: log.arrivals.reduce((sum, { bytes }) => sum + bytes, 0),
    heardMs: log.runs.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0),
    droppedMs: log.droppedMs,
    pauses: sumOf('pause'),
    underruns: sumOf('underrun'),
    lead: leadOf(log),
    marks: {
      asked: log.marks.length,
      answered: log.marks.filter(({ answeredAtMs }) => answeredAtMs !== undefined).length,
      cleared: log.marks.filter(({ isCleared }) => isCleared).length,
    },
    clears: log.clears.map(({ atMs, silentAtMs, droppedMs }) => ({
      atMs,
      silentAfterMs: silentAtMs === undefined ? null : silentAtMs - atMs,
      droppedMs,
    })),
    moments: log.moments.map((moment) => momentReport(log, moment)),
    findings: log.findings,
  };
}

function firstSoundOf({ runs, format }: DeskCallLog): number | null {
  for (const run of runs) {
    const atMs = firstSoundMs(run, format);
    if (atMs !== undefined) return atMs;
  }
  return null;
}

function leadOf({ arrivals, runs }: DeskCallLog): LeadReport | null {
  const leads = arrivals.map(({ queuedMs }) => queuedMs);
  if (leads.length === 0) return null;
  const [longest] = runs.toSorted((a, b) => lengthOf(b) - lengthOf(a));
  return {
    p50: median(leads) ?? 0,
    max: leads.reduce((high, lead) => Math.max(high, lead), 0),
    driftMs: longest ? driftOf(longest, arrivals) : null,
  };
}

/** A server whose clock runs fast or slow piles audio up, or runs out of it. */
function driftOf({ startMs, endMs }: HeardRun, arrivals: DeskCallLog['arrivals']): number | null {
  const within = arrivals.filter(({ atMs }) => atMs >= startMs && atMs < endMs);
  const lastMs = within.at(-1)?.atMs ?? startMs;
  if (lastMs - startMs < SHORTEST_DRIFT_RUN_MS) return null;
  const leadFrom = (fromMs: number) =>
    median(
      within
        .filter(({ atMs }) => atMs >= fromMs && atMs <= fromMs + WINDOW_MS)
        .map(({ queuedMs }) => queuedMs),
    );
  const early = leadFrom(startMs + SETTLED_MS);
  const late = leadFrom(lastMs - WINDOW_MS);
  return early === null || late === null ? null : late - early;
}

function momentReport(log: DeskCallLog, moment: CallerMoment): MomentReport {
  const { type, label, atMs } = moment;
  const playing = log.runs.find(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
  const clear = log.clears.find(
    (each) => each.atMs >= atMs && playing && each.atMs <= playing.endMs,
  );
  const endMs = playing?.end === 'hang-up' ? undefined : playing?.endMs;
  const silentAtMs = clear?.silentAtMs ?? endMs;
  // What was on its way when the clear was sent belongs to what was cleared.
  const answerFromMs = clear?.atMs ?? endMs ?? atMs;
  const isHeardOut = playing !== undefined && silentAtMs === undefined;
  const answer = isHeardOut ? undefined : log.arrivals.find((each) => each.atMs > answerFromMs);
  return {
    type,
    label,
    atMs,
    silentAfterMs: silentAtMs === undefined ? null : silentAtMs - atMs,
    answeredAfterMs: answer ? answer.atMs - atMs : null,
  };
}

function lengthOf({ startMs, endMs }: HeardRun): number {
  return endMs - startMs;
}

function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? null;
}
