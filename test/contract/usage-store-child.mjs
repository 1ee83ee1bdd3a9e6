// Run as a process of its own: spends characters while other processes do, or until it is killed.
import { writeSync } from 'node:fs';
import { argv } from 'node:process';
import Database from 'libsql';

const [task, dataDir = '', count] = argv.slice(2);
const dist = new URL('../../dist/', import.meta.url).href;
const { openStorage } = await import(`${dist}storage/open-storage.js`);
const { Quota } = await import(`${dist}account/quota.js`);

const storage = await openStorage({ dataDir });
const quota = new Quota({
  usage: storage.usage,
  tell: async () => undefined,
  now: Date.now,
  onRenewalFailed: (/** @type {unknown} */ thrown) => {
    throw thrown;
  },
});
const caller = { accountId: 'acme', keyId: 'key-1' };

if (task === 'spend') await spend(Number(count));
else await dieBefore(Number(count));
await quota.close();
await storage.close();

/**
 * Makes so many requests of 10 characters; prints how many went through.
 * @param {number} requests
 */
async function spend(requests) {
  let spent = 0;
  for (let index = 0; index < requests; index++) {
    try {
      const reservation = await quota.reserve(caller, 15);
      await reservation.settle(10);
      spent++;
    } catch (thrown) {
      if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'quota_exceeded')) {
        throw thrown;
      }
    }
  }
  writeSync(1, `${spent}`);
}

/**
 * Makes one request, and is killed before its n-th statement reaches the database.
 * @param {number} statement
 */
async function dieBefore(statement) {
  const { prepare } = Database.prototype;
  let statements = 0;
  Database.prototype.prepare = /** @type {typeof prepare} */ (
    /** @this {Database} @param {string} source */
    function countedPrepare(source) {
      if (statements++ === statement) process.kill(process.pid, 'SIGKILL');
      return prepare.call(this, source);
    }
  );
  const reservation = await quota.reserve(caller, 100);
  writeSync(1, 'reserved ');
  await reservation.deliver(40);
  writeSync(1, 'delivered ');
  await reservation.settle(90);
  writeSync(1, 'settled ');
  Database.prototype.prepare = prepare;
}
