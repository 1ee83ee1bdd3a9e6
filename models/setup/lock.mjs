// @ts-check
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from './setup-error.mjs';

const HEARTBEAT_MS = 2_000;
const STALE_MS = 15_000;
const POLL_MS = 100;

/**
 * Runs `work` while no other process on this folder does. The lock is a file that its owner touches all the
 * time; one whose owner died, or has not touched it for a while (another machine on a shared disk), is stale
 * and is taken over.
 *
 * @template Result
 * @param {string} file the lock; its folder is made when absent.
 * @param {(owner: string) => void} onWait called once when somebody else holds it.
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function withLock(file, onWait, work) {
  const owner = JSON.stringify({
    pid: process.pid,
    host: os.hostname(),
    id: randomUUID(),
  });
  await mkdir(path.dirname(file), { recursive: true });
  let told = false;
  while (!(await take(file, owner))) {
    await removeWhenStale(file);
    if (!told && (await read(file)) !== undefined) {
      onWait(ownerName(await read(file)));
      told = true;
    }
    await delay(POLL_MS);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if ((await read(file)) === owner) await rm(file, { force: true });
  }
}

/**
 * @param {string} file
 * @param {string} owner
 */
async function take(file, owner) {
  try {
    await writeFile(file, owner, { flag: 'wx' });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} file */
async function removeWhenStale(file) {
  const [owner, found] = await Promise.all([read(file), stat(file).catch(() => undefined)]);
  if (owner === undefined || found === undefined) return;
  const silent = Date.now() - found.mtimeMs > STALE_MS;
  if (!silent && !isDead(owner)) return;
  // Moved aside first: of several waiters one wins, and it sees whether it took what it had looked at.
  const aside = `${file}.${randomUUID()}`;
  await rename(file, aside).catch(() => undefined);
  const taken = await read(aside);
  if (taken !== undefined && taken !== owner) await take(file, taken);
  await rm(aside, { force: true });
}

/** @param {string} owner */
function isDead(owner) {
  try {
    const { pid, host } = JSON.parse(owner);
    if (host !== os.hostname()) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // Half-written locks are judged by their age alone.
    return errorCode(error) === 'ESRCH';
  }
}

/** @param {string | undefined} owner */
function ownerName(owner) {
  try {
    return `process ${JSON.parse(owner ?? '').pid}`;
  } catch {
    return 'another process';
  }
}

/** @param {string} file */
async function read(file) {
  return readFile(file, 'utf8').catch(() => undefined);
}
