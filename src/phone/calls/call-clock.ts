/** Time, as calls know it: an argument, so that an hour's call can be tested in a second. */
export interface CallClock {
  /** Milliseconds that never go back, such as `performance.now()`. */
  now(): number;
  /** Milliseconds since 1970. */
  wallNow(): number;
  /** Runs `action` once, later. @returns what calls it off; idempotent. */
  after(delayMs: number, action: () => void): () => void;
}

export const SYSTEM_CLOCK: CallClock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  after: (delayMs, action) => {
    // Rounded up: a timer that is early by a fraction would only have to be set again.
    const timer = setTimeout(action, Math.ceil(delayMs));
    return () => clearTimeout(timer);
  },
};
