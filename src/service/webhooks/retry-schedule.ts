const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long after the one before each attempt is made (Standard Webhooks 1.0, "Retries"). */
const DELAYS_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;
/** Each delay is up to this much longer, so that deliveries which failed together spread out. */
const JITTER = 0.2;
/** A receiver may put us off, but not for ever. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/** An attempt that failed. */
export interface FailedAttempt {
  /** Attempts made so far, this one included. */
  readonly attempts: number;
  readonly atMs: number;
  /** The receiver's `Retry-After`. */
  readonly retryAfter: string | undefined;
}

/**
 * When to try again: on schedule, or when the receiver asks if that is later.
 *
 * @param random in [0, 1).
 * @returns milliseconds since 1970; undefined when that was the last attempt.
 */
export function nextAttemptAtMs(failed: FailedAttempt, random: () => number): number | undefined {
  const delayMs = DELAYS_MS[failed.attempts];
  if (delayMs === undefined) return undefined;
  const jitteredMs = Math.round(delayMs * (1 + JITTER * random()));
  return failed.atMs + Math.max(jitteredMs, retryAfterMs(failed.retryAfter, failed.atMs));
}

/** `Retry-After` as a delay (RFC 9110 §10.2.3): seconds or a date. Anything else is no wish. */
function retryAfterMs(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 0;
  const text = header.trim();
  const delayMs = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - nowMs;
  return Number.isNaN(delayMs) ? 0 : Math.min(Math.max(delayMs, 0), MAX_RETRY_AFTER_MS);
}
