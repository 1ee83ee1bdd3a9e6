// Run as a process of its own: spends characters while other processes do, or until it is killed.
import { writeSync } from 'node:fs';
import { argv } from 'node:process';
import { dieBeforeStep } from './die-at-step.mjs';

const [task, dataDir = '', count] = argv.slice(2);
const dist = new URL('../../dist/', import.meta.url).href;
const { openStorage } = await import(`${dist}service/storage/open-storage.js`);
const { Quota } = await import(`${dist}service/account/quota.js`);
const { StorageHealth } = await import(`${dist}service/account/storage-health.js`);

const storage = await openStorage({ dataDir });
const quota = new Quota({
  usage: storage.usage,
  tell: async () => undefined,
  now: Date.now,
  health: new StorageHealth({
    part: 'database',
    log: { error: () => undefined, warn: () => undefined },
    now: () => performance.now(),
  }),
});
const caller = { accountId: 'acme', keyId: 'key-1' };
const labels = { modelId: 'svc_turbo_v1', voiceId: 'ada' };

if (task === 'spend') await spend(Number(count));
else if (task === 'die-delivered') await dieDelivered();
else await dieBefore(Number(count), task === 'die-heard');
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
      const reservation = await quota.reserve(caller, 15, labels);
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

/** Is killed in the middle of a request, of which some was handed out. */
async function dieDelivered() {
  const reservation = await quota.reserve(caller, 100, labels);
  await reservation.deliver(40);
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Makes one request, and is killed before its n-th step.
 * @param {number} step
 * @param {boolean} isHeard whether any of it is heard, or it is given up before that.
 */
async function dieBefore(step, isHeard) {
  const stopCounting = dieBeforeStep(step);
  const reservation = await quota.reserve(caller, 100, labels);
  writeSync(1, 'reserved ');
  if (isHeard) {
    await reservation.deliver(40);
    writeSync(1, 'delivered ');
    await reservation.settle(90);
    writeSync(1, 'settled ');
  } else {
    await reservation.refund();
    writeSync(1, 'refunded ');
  }
  stopCounting();
}
