import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/**
 * Lets the calling thread, and the threads that it starts from now on, stand back when others want the cores:
 * on Linux each thread has a priority of its own. Ten steps leave it a tenth of a core that it shares, so
 * that it never comes to a stop. Elsewhere, and where a sandbox hides thread ids, nothing changes.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    const threadId = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(threadId, Math.min(getPriority(threadId) + PRIORITY_BELOW_NORMAL, PRIORITY_LOW));
  } catch {
    // It then shares the cores evenly, which is slower for others and no less right.
  }
}
