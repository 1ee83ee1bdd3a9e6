import { StorageHealth } from '../../src/service/account/storage-health.ts';

/** What was logged: part, reason and message. */
export type HealthLog = string[];

/** Of a database, with the time of this process. */
export function databaseHealth(log: HealthLog = []): StorageHealth {
  const note = ({ part, reason }: { part?: string; reason?: string }, message: string) =>
    void log.push(`${part} ${reason}: ${message}`);
  return new StorageHealth({
    part: 'database',
    log: { error: note, warn: note },
    now: () => performance.now(),
  });
}
