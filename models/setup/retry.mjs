// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { HttpStatusError } from './request.mjs';
import { errorCode } from './setup-error.mjs';

const MAX_FAILURES_IN_A_ROW = 4;
const FIRST_PAUSE_MS = 500;
const PASSING_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);
const PASSING_CODES = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ERR_ENTITY_CHANGED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ETIMEDOUT',
]);

/**
 * Repeats an attempt while what it meets may pass, with growing pauses. Progress resets the count, so that a
 * long download over a bad line arrives in the end.
 *
 * @template Result
 * @param {() => Promise<Result>} attempt
 * @param {{ firstPauseMs?: number | undefined, progress?: () => Promise<number> }} options
 *   `firstPauseMs` doubles with each failure in a row; `progress` is a number that grows.
 * @returns {Promise<Result>}
 * @throws what the last attempt met.
 */
export async function withRetries(attempt, { firstPauseMs = FIRST_PAUSE_MS, progress }) {
  let failures = 0;
  let furthest = (await progress?.()) ?? 0;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const reached = (await progress?.()) ?? 0;
      failures = reached > furthest ? 1 : failures + 1;
      furthest = Math.max(furthest, reached);
      if (!isPassing(error) || failures >= MAX_FAILURES_IN_A_ROW) throw error;
      await delay(firstPauseMs * 2 ** (failures - 1));
    }
  }
}

/** @param {unknown} error */
function isPassing(error) {
  if (error instanceof HttpStatusError) return PASSING_STATUSES.has(error.status);
  // Node reports a host with several addresses as one error per address.
  if (error instanceof AggregateError) return error.errors.every(isPassing);
  return PASSING_CODES.has(errorCode(error) ?? '');
}
