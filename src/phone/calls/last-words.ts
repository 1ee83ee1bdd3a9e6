import type { CallClock } from './call-clock.ts';

const POLL_MS = 250;
/** How much later than the clock says a carrier may be done, before it counts as one that never says so. */
const GRACE_MS = 2000;
/** What is still being said then is not waited for. */
const LONGEST_MS = 10 * 60_000;

/** Waits until a line has been quiet for a while, whatever its carrier says. Called off by its result. */
export function whenQuiet(
  clock: CallClock,
  isQuiet: () => boolean,
  action: () => void,
): () => void {
  const startMs = clock.now();
  let quietSinceMs: number | undefined;
  let callOff: () => void;
  const look = (): void => {
    const now = clock.now();
    quietSinceMs = isQuiet() ? (quietSinceMs ?? now) : undefined;
    const isOver = quietSinceMs !== undefined && now - quietSinceMs >= GRACE_MS;
    if (isOver || now - startMs >= LONGEST_MS) action();
    else callOff = clock.after(POLL_MS, look);
  };
  callOff = clock.after(POLL_MS, look);
  return () => callOff();
}
