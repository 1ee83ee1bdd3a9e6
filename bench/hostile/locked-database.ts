import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import type { Attack } from './attack.ts';

/** Longer than any wait for a lock that is reasonable. */
const HELD_MS = 3000;
const FREE_MS = 500;

/** Another process holds the write lock of the server's database, lets go, and takes it again. */
export const lockedDatabase: Attack = async ({ databaseFile }, log) => {
  const database = new Database(databaseFile, { timeout: 1000 });
  while (!log.isOver) {
    try {
      database.exec('BEGIN IMMEDIATE');
    } catch {
      // The server writes at this moment.
      await sleep(1);
      continue;
    }
    log.sent();
    await sleep(Math.min(HELD_MS, log.leftMs));
    database.exec('ROLLBACK');
    await sleep(FREE_MS);
  }
  database.close();
};
