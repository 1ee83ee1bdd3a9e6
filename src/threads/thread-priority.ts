import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Lets the calling thread, and the threads that it starts from now on, stand back when others want the
 * cores: on Linux each thread has a nice value of its own. Each step costs about a fifth of what the
 * thread gets of a core that it shares, so it never comes to a stop. Elsewhere, and where a sandbox
 * hides thread ids, nothing changes.
 *
 * @param steps added to the thread's nice value.
 */
export function lowerThreadPriority(steps: number): void {
  if (process.platform !== 'linux') return;
  try {
    const threadId = Number(basename(readlinkSync('/proc/thread-self')));
    const lowest = constants.priority.PRIORITY_LOW;
    setPriority(threadId, Math.min(getPriority(threadId) + steps, lowest));
  } catch {
    // It then shares the cores evenly, which is slower for others and no less right.
  }
}
