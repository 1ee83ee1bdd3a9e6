import { setTimeout as sleep } from 'node:timers/promises';

/** About how long a reply takes to speak. */
const SPREAD_MS = 5_000;

/**
 * Lets one of `count` callers begin at their own time, spread evenly over the length of a reply. Callers
 * do not all begin in one millisecond; what happens when they do is in the back-to-back rows.
 */
export async function stagger(index: number, count: number): Promise<void> {
  await sleep((index * SPREAD_MS) / count);
}
