import { SpeechError } from '../../domain/errors.ts';
import type { UsageDimension, UsageEntry } from '../../domain/usage.ts';
import type { UsageStore } from '../storage/usage-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** So long hours are kept; then they are summed up by day. */
const HOURS_KEPT_DAYS = 35;
/** Thirteen months, so that a month can be held against the same one a year before. */
const DAYS_KEPT_DAYS = 400;
/** The first Monday of 1970. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
/** What an answer is broken down into at most: a voice file may have a thousand speakers. */
const MAX_LABELS = 100;
const OTHER_LABELS = 'Other';

export type UsageInterval = 'hour' | 'day' | 'week' | 'month' | 'cumulative';

export interface UsageQuery {
  readonly accountId: string;
  /** From this time, in milliseconds since 1970; what began in the same hour counts (long ago: the same day). */
  readonly startMs: number;
  /** Up to this time. */
  readonly endMs: number;
  /** The time between two figures: a name, or milliseconds. */
  readonly interval: UsageInterval | number;
  /** Absent: in all. */
  readonly by?: UsageDimension;
}

/** A figure a label for each time on the axis. */
export interface UsageOverTime {
  /** When each stretch begins, in milliseconds since 1970; the first where the query does. */
  readonly timesMs: readonly number[];
  /** Characters charged in each stretch, by key, model or voice; in all under ''. */
  readonly characters: ReadonlyMap<string, readonly number[]>;
}

/** What accounts were charged in the course of time, which stays when their history is deleted. */
export class UsageReader {
  readonly #store: Pick<UsageStore, 'usedOverTime'>;
  readonly #now: () => number;

  /** @param now milliseconds since 1970. */
  constructor(store: Pick<UsageStore, 'usedOverTime'>, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** @throws SpeechError `invalid_parameters` when the time ends before it begins, or hours of it are no longer kept. */
  async read({ accountId, startMs, endMs, interval, by }: UsageQuery): Promise<UsageOverTime> {
    const { hoursFromMs, daysFromMs } = usageKeptFrom(this.#now());
    if (endMs < startMs) throw invalid('end_unix', 'The time must not end before it begins.');
    if (isFinerThanDays(interval) && startMs < hoursFromMs) {
      throw invalid(
        'start_unix',
        `Usage by hour is kept for ${HOURS_KEPT_DAYS} days. Begin at ${new Date(hoursFromMs).toISOString()} or later, or ask for days.`,
      );
    }
    const firstMs = Math.max(startMs, daysFromMs);
    const lastMs = Math.min(endMs, this.#now());
    const timesMs = axis(firstMs, lastMs, interval);
    const fromMs = startOf(firstMs < hoursFromMs ? DAY_MS : HOUR_MS, firstMs);
    const span = { accountId, fromMs, toMs: lastMs + 1 };
    const entries = await this.#store.usedOverTime({ ...span, ...(by && { by }) });
    return { timesMs, characters: spread(entries, timesMs) };
  }
}

/** @returns since when usage is kept by hour and by day; both are beginnings of days (UTC). */
export function usageKeptFrom(nowMs: number): { hoursFromMs: number; daysFromMs: number } {
  const todayMs = startOf(DAY_MS, nowMs);
  return {
    hoursFromMs: todayMs - HOURS_KEPT_DAYS * DAY_MS,
    daysFromMs: todayMs - DAYS_KEPT_DAYS * DAY_MS,
  };
}

export function startOfHour(timeMs: number): number {
  return startOf(HOUR_MS, timeMs);
}

function startOf(stretchMs: number, timeMs: number): number {
  return timeMs - (timeMs % stretchMs);
}

function isFinerThanDays(interval: UsageQuery['interval']): boolean {
  return interval === 'hour' || (typeof interval === 'number' && interval % DAY_MS !== 0);
}

/** The first stretch begins where the query does; the others where an hour, a day, a Monday … does (UTC). */
function axis(firstMs: number, lastMs: number, interval: UsageQuery['interval']): number[] {
  const times = [firstMs];
  let nextMs = startOfNext(firstMs, interval);
  while (nextMs <= lastMs) {
    times.push(nextMs);
    nextMs = startOfNext(nextMs, interval);
  }
  return times;
}

function startOfNext(timeMs: number, interval: UsageQuery['interval']): number {
  const next = (stepMs: number, originMs = 0) => timeMs - ((timeMs - originMs) % stepMs) + stepMs;
  switch (interval) {
    case 'hour':
      return next(HOUR_MS);
    case 'day':
      return next(DAY_MS);
    case 'week':
      return next(7 * DAY_MS, FIRST_MONDAY_MS);
    case 'month': {
      const time = new Date(timeMs);
      return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1);
    }
    case 'cumulative':
      return Number.POSITIVE_INFINITY;
    default:
      return next(interval);
  }
}

/** @param entries the oldest first. */
function spread(entries: readonly UsageEntry[], timesMs: readonly number[]) {
  const named = mostUsed(entries);
  const characters = new Map<string, number[]>();
  let index = 0;
  for (const entry of entries) {
    while ((timesMs[index + 1] ?? Number.POSITIVE_INFINITY) <= entry.fromMs) index++;
    const label = named.has(entry.label) ? entry.label : OTHER_LABELS;
    const figures = characters.get(label) ?? timesMs.map(() => 0);
    figures[index] = (figures[index] ?? 0) + entry.characters;
    characters.set(label, figures);
  }
  return characters;
}

function mostUsed(entries: readonly UsageEntry[]): ReadonlySet<string> {
  const totals = new Map<string, number>();
  for (const { label, characters } of entries) {
    totals.set(label, (totals.get(label) ?? 0) + characters);
  }
  const labels = [...totals].toSorted(([, one], [, other]) => other - one);
  return new Set(labels.slice(0, MAX_LABELS).map(([label]) => label));
}

function invalid(param: string, message: string): SpeechError {
  return new SpeechError('invalid_parameters', message, { param });
}
