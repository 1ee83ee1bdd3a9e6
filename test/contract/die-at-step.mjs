// Lets a process be killed, as by a power cut, before a chosen one of the steps by which it stores things.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import Database from 'libsql';

const STATEMENT = Object.getPrototypeOf(new Database(':memory:').prepare('select 1'));

/**
 * Kills this process before its n-th statement reaches the database, or change the file system.
 *
 * @param {number} step
 * @returns a function that ends the counting.
 */
export async function dieBeforeStep(step) {
  let steps = 0;
  const count = () => {
    if (steps++ === step) process.kill(process.pid, 'SIGKILL');
  };
  const file = await fs.open('/dev/null');
  const stops = [
    interceptCalls(Database.prototype, 'exec', count),
    ...['run', 'iterate'].map((name) => interceptCalls(STATEMENT, name, count)),
    ...['mkdir', 'open', 'rename', 'rm'].map((name) => interceptCalls(fs, name, count)),
    ...['writeFile', 'sync'].map((name) =>
      interceptCalls(Object.getPrototypeOf(file), name, count),
    ),
  ];
  await file.close();
  syncBuiltinESMExports();
  return () => {
    for (const stop of stops) stop();
    syncBuiltinESMExports();
  };
}

/**
 * @param {any} prototype
 * @param {string} name
 * @param {() => void} onCall
 * @returns a function that ends it.
 */
function interceptCalls(prototype, name, onCall) {
  const original = prototype[name];
  prototype[name] = /** @this {any} @param {any[]} values */ function intercepted(...values) {
    onCall();
    return original.apply(this, values);
  };
  return () => {
    prototype[name] = original;
  };
}
