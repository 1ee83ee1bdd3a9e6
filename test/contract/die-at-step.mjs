// Lets a process be killed, as by a power cut, before a chosen one of the steps by which it stores things.
// The database has a thread of its own: `node --import` brings this module into every thread.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import Database from 'libsql';

const SHARED = 'die-at-step';
const IS_COUNTING = 0;
const STEPS_LEFT = 1;

if (isMainThread) setEnvironmentData(SHARED, new Int32Array(new SharedArrayBuffer(8)));
/** Seen by every thread. */
const shared = /** @type {Int32Array} */ (getEnvironmentData(SHARED));

await interceptSteps();

/**
 * Kills this process before its n-th statement reaches the database, or change the file system.
 *
 * @param {number} step
 * @returns a function that ends the counting.
 */
export function dieBeforeStep(step) {
  Atomics.store(shared, STEPS_LEFT, step);
  Atomics.store(shared, IS_COUNTING, 1);
  return () => void Atomics.store(shared, IS_COUNTING, 0);
}

function countStep() {
  if (Atomics.load(shared, IS_COUNTING) === 0) return;
  if (Atomics.sub(shared, STEPS_LEFT, 1) === 0) process.kill(process.pid, 'SIGKILL');
}

async function interceptSteps() {
  const file = await fs.open('/dev/null');
  const fileHandle = Object.getPrototypeOf(file);
  const statement = Object.getPrototypeOf(new Database(':memory:').prepare('select 1'));
  interceptCalls(Database.prototype, 'exec');
  for (const name of ['run', 'iterate']) interceptCalls(statement, name);
  for (const name of ['mkdir', 'open', 'rename', 'rm']) interceptCalls(fs, name);
  for (const name of ['writeFile', 'sync']) interceptCalls(fileHandle, name);
  await file.close();
  syncBuiltinESMExports();
}

/**
 * @param {any} prototype
 * @param {string} name
 */
function interceptCalls(prototype, name) {
  const original = prototype[name];
  prototype[name] = /** @this {any} @param {any[]} values */ function intercepted(...values) {
    countStep();
    return original.apply(this, values);
  };
}
