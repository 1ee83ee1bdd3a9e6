import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { resolveModel } from '../../../../src/domain/model.ts';
import { Accounts } from '../../../../src/service/account/accounts.ts';
import { ApiKeyRegistry } from '../../../../src/service/account/api-key-registry.ts';
import { Authenticator } from '../../../../src/service/account/authenticator.ts';
import { ConcurrencyLimiter } from '../../../../src/service/account/concurrency-limiter.ts';
import { Quota } from '../../../../src/service/account/quota.ts';
import { SpeechMeter } from '../../../../src/service/account/speech-meter.ts';
import { StorageHealth } from '../../../../src/service/account/storage-health.ts';
import { openStorageHere } from '../../../support/storage-here.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';
import { USAGE_LABELS } from '../../../support/usage-labels.ts';

/** The real ledger, another process's connection to it, and a clock for the grace. */
async function openLedger() {
  const dataDir = temporaryDir();
  const storage = await openStorageHere({ dataDir });
  const other = new Database(join(dataDir, 'sidetone.db'));
  const clock = { nowMs: 0 };
  const health = new StorageHealth({
    part: 'database',
    log: { error: () => undefined, warn: () => undefined },
    now: () => clock.nowMs,
  });
  const openQuota = () =>
    new Quota({ usage: storage.usage, tell: async () => undefined, now: Date.now, health });
  const quota = openQuota();
  onTestFinished(async () => {
    other.close();
    await quota.close();
    await storage.close();
  });
  const accounts = new Accounts(storage.accounts, Date.now);
  await accounts.create({ name: 'Acme', tier: 'free', characterLimit: 1000 }, 'acme');
  const keys = new ApiKeyRegistry({
    store: storage.keys,
    configuredSecret: undefined,
    now: Date.now,
  });
  const { key, secret } = await keys.create('acme', 'bot');
  const caller = { accountId: 'acme', keyId: key.keyId };
  const used = async () => (await quota.standing('acme')).usedCharacters;
  return { other, clock, health, quota, openQuota, keys, secret, caller, used };
}

describe('while the ledger cannot be written', () => {
  it('requests are let in within the limits, and charged afterwards', async () => {
    const { other, quota, caller, used, health } = await openLedger();
    const before = await quota.reserve(caller, 400, USAGE_LABELS);
    other.exec('begin immediate');
    const first = await quota.reserve(caller, 300, USAGE_LABELS);
    const second = await quota.reserve(caller, 300, USAGE_LABELS);
    await expect(quota.reserve(caller, 1, USAGE_LABELS)).rejects.toMatchObject({
      code: 'quota_exceeded',
    });
    await first.settle(200);
    await second.refund();
    await before.settle(400);
    expect(health.problem?.part).toBe('database');
    other.exec('commit');
    await expect.poll(used, { timeout: 15_000 }).toBe(600);
    await expect.poll(() => health.problem, { timeout: 15_000 }).toBeUndefined();
    await expect(quota.reserve(caller, 401, USAGE_LABELS)).rejects.toMatchObject({
      code: 'quota_exceeded',
    });
    await (await quota.reserve(caller, 400, USAGE_LABELS)).refund();
  }, 60_000);

  it('what has been spoken is charged even when its own hold never was', async () => {
    const { other, quota, caller, used, health } = await openLedger();
    other.exec('begin immediate');
    const reservation = await quota.reserve(caller, 300, USAGE_LABELS);
    await reservation.deliver(50);
    await reservation.settle(120);
    // The hold itself gives up after five seconds.
    await expect.poll(() => health.problem?.reason, { timeout: 15_000 }).toBe('database_locked');
    other.exec('commit');
    await expect.poll(used, { timeout: 15_000 }).toBe(120);
  }, 60_000);

  it('requests are refused once the grace is over', async () => {
    const { other, clock, quota, caller } = await openLedger();
    other.exec('begin immediate');
    await (await quota.reserve(caller, 10, USAGE_LABELS)).refund();
    clock.nowMs += 600_001;
    await expect(quota.reserve(caller, 10, USAGE_LABELS)).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    other.exec('commit');
    await expect
      .poll(() => quota.reserve(caller, 10, USAGE_LABELS).then(() => 'let in', String), {
        timeout: 15_000,
      })
      .toBe('let in');
  }, 60_000);
});

describe('a chunk whose process dies', () => {
  it.each([
    [true, 40],
    [false, 0],
  ])('is charged if any of it was heard (%s: %i)', async (isHeard, charged) => {
    const { quota, openQuota, keys, secret, used } = await openLedger();
    const authenticator = new Authenticator(keys);
    const dying = openQuota();
    const concurrency = new ConcurrencyLimiter(() => 4);
    const caller = await authenticator.authenticate(secret);
    const parts = { authenticator, concurrency, quota: dying };
    const chunk = await new SpeechMeter(parts, caller, resolveModel(undefined)).enter({
      characters: 40,
      voiceId: 'ada',
    });
    if (isHeard) chunk.hear();
    expect(await used()).toBe(40);
    await dying.close();
    expect(await quota.recover()).toBe(1);
    expect(await used()).toBe(charged);
  });
});
