import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Quota } from '../../src/service/account/quota.ts';
import type { Storage } from '../../src/service/storage/storage.ts';
import { databaseHealth } from '../support/storage-health.ts';
import { openStorageHere } from '../support/storage-here.ts';
import { storages } from '../support/storages.ts';
import { temporaryDir } from '../support/temporary-dir.ts';
import { USAGE_LABELS } from '../support/usage-labels.ts';
import { accountRecord } from './account-store-contract.ts';
import { usageStoreContract } from './usage-store-contract.ts';

const CHILD = fileURLToPath(new URL('usage-store-child.mjs', import.meta.url));
const DIE_AT_STEP = fileURLToPath(new URL('die-at-step.mjs', import.meta.url));
const LIMIT = 1000;
const CALLER = { accountId: 'acme', keyId: 'key-1' };
const AFTER_THE_LEASE_MS = 61_000;
/** More than one request needs, so that the last child lives. */
const MOST_STEPS = 60;

for (const [technology, newPlace] of storages()) usageStoreContract(technology, newPlace);

interface Ended {
  readonly wasKilled: boolean;
  readonly out: string;
}

function runChild(
  task: 'spend' | 'die-heard' | 'die-unheard' | 'die-delivered',
  dataDir: string,
  count: number,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const parameters = ['--import', DIE_AT_STEP, CHILD, task, dataDir, `${count}`];
    execFile(process.execPath, parameters, (error, out) => {
      const wasKilled = error?.signal === 'SIGKILL';
      if (error && !wasKilled) reject(error);
      else resolve({ wasKilled, out });
    });
  });
}

/** A folder with one account, which may spend `LIMIT`. */
async function newDataDir(): Promise<string> {
  const dataDir = temporaryDir();
  await using storage = await openStorageHere({ dataDir });
  await storage.accounts.add(
    accountRecord({ characterLimit: LIMIT, createdAtMs: Date.now() - 1000 }),
  );
  return dataDir;
}

function openQuota({ usage }: Storage, now = Date.now): Quota {
  return new Quota({
    usage,
    tell: async () => undefined,
    now,
    health: databaseHealth(),
  });
}

/** What the account was charged once the lease of a dead process is over. */
async function chargedAfter(dataDir: string): Promise<number> {
  await using storage = await openStorageHere({ dataDir });
  await using quota = openQuota(storage, () => Date.now() + AFTER_THE_LEASE_MS);
  await quota.recover();
  const { usedCharacters } = await quota.standing('acme');
  // Nothing stays on hold: all that is left can be had, and not one character more.
  await expect(
    quota.reserve(CALLER, LIMIT - usedCharacters + 1, USAGE_LABELS),
  ).rejects.toMatchObject({
    code: 'quota_exceeded',
  });
  await (await quota.reserve(CALLER, LIMIT - usedCharacters, USAGE_LABELS)).refund();
  expect((await quota.standing('acme')).usedCharacters).toBe(usedCharacters);
  return usedCharacters;
}

/** By the last step that the child said it had taken; it may have died just after another. */
function possibleCharges({ out }: Ended): readonly number[] {
  if (out.includes('settled')) return [90];
  if (out.includes('delivered')) return [40, 90];
  return out.includes('reserved') ? [0, 40] : [0];
}

describe('a pool of characters', () => {
  it('is spent to the last character, and no further, by processes that share it', async () => {
    const dataDir = await newDataDir();
    const ended = await Promise.all(
      Array.from({ length: 3 }, () => runChild('spend', dataDir, 40)),
    );
    const spent = ended.reduce((sum, { out }) => sum + Number(out), 0) * 10;
    // Requests hold 15 and cost 10, so that the last few characters may be out of reach.
    expect(spent).toBeGreaterThan(LIMIT - 15 * 3);
    expect(spent).toBeLessThanOrEqual(LIMIT);
    expect(await chargedAfter(dataDir)).toBe(spent);
  });

  it('is charged once for a request, whichever step its process is killed at', async () => {
    const ends = await killedAtEachStep('die-heard', 'settled ');
    for (const end of ends) expect(possibleCharges(end), end.out).toContain(end.charged);
    const charges = ends.map(({ charged }) => charged);
    // It was killed before, during and after each step, and the last one lived.
    expect(charges).toEqual(charges.toSorted((one, other) => one - other));
    expect(new Set(charges)).toEqual(new Set([0, 40, 90]));
    expect(charges.length).toBeGreaterThan(15);
  }, 300_000);

  it('is charged nothing for a refunded one, whichever step its process is killed at', async () => {
    const ends = await killedAtEachStep('die-unheard', 'refunded ');
    expect(new Set(ends.map(({ charged }) => charged))).toEqual(new Set([0]));
    expect(ends.length).toBeGreaterThan(10);
  }, 300_000);
});

describe('the holds of a process that was killed', () => {
  it('end when the next one starts on this machine, and charge what was delivered', async () => {
    const dataDir = await newDataDir();
    const { wasKilled } = await runChild('die-delivered', dataDir, 0);
    expect(wasKilled).toBe(true);
    await using storage = await openStorageHere({ dataDir });
    await using quota = openQuota(storage);
    const used = async () => (await quota.standing('acme')).usedCharacters;
    expect(await used()).toBe(100);
    quota.start();
    await expect.poll(used, { timeout: 10_000 }).toBe(40);
  });

  it('are left to a process that lives', async () => {
    const dataDir = await newDataDir();
    await using storage = await openStorageHere({ dataDir });
    await using living = openQuota(storage);
    await using starting = openQuota(storage);
    await living.reserve(CALLER, 100, USAGE_LABELS);
    expect(await starting.recover()).toBe(0);
    expect((await starting.standing('acme')).usedCharacters).toBe(100);
  });
});

/** One request after the other, each killed a step later, until one lives; and what each was charged. */
async function killedAtEachStep(task: 'die-heard' | 'die-unheard', lastWord: string) {
  const template = await newDataDir();
  const scratch = temporaryDir();
  const ends: Array<Ended & { readonly charged: number }> = [];
  for (let step = 0; step < MOST_STEPS; step += 4) {
    const ended = await Promise.all(
      [0, 1, 2, 3].map(async (offset) => {
        const dataDir = join(scratch, `${step + offset}`);
        cpSync(template, dataDir, { recursive: true });
        const end = await runChild(task, dataDir, step + offset);
        return { ...end, charged: await chargedAfter(dataDir) };
      }),
    );
    for (const end of ended) expect(end.out.endsWith(lastWord)).toBe(!end.wasKilled);
    ends.push(...ended);
    if (ended.some(({ wasKilled }) => !wasKilled)) return ends;
  }
  throw new Error(`It takes more than ${MOST_STEPS} steps.`);
}
