import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Owners of this process. */
const LIVING = new Set<string>();

/** @returns a name for this process in the ledger, by which others on this machine see that it lives. */
export function newOwnerId(): string {
  const ownerId = `${hostname()}/${process.pid}/${randomUUID()}`;
  LIVING.add(ownerId);
  return ownerId;
}

/** To be called when the owner looks after its holds no more. */
export function leaveOwner(ownerId: string): void {
  LIVING.delete(ownerId);
}

/**
 * Whether an owner was a process of this machine that has ended. Of other machines nothing is known,
 * nor of a process whose number another has by now: their holds end with their leases.
 */
export function isDeadOwner(ownerId: string): boolean {
  const [host, pid] = ownerId.split('/');
  if (host !== hostname()) return false;
  // The first process of a container that was restarted has the number of the one before.
  if (Number(pid) === process.pid) return !LIVING.has(ownerId);
  return !isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // A process of another user may not be signalled, but it is there.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}
