import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { audioKey } from '../../src/service/account/history.ts';
import { HistorySweeper } from '../../src/service/account/history-sweeper.ts';
import type { Storage } from '../../src/service/storage/storage.ts';
import { openStorageHere } from '../support/storage-here.ts';
import { NO_LIMIT, storages } from '../support/storages.ts';
import { temporaryDir } from '../support/temporary-dir.ts';
import { historyStoreContract } from './history-store-contract.ts';

for (const [technology, newPlace] of storages()) historyStoreContract(technology, newPlace);

const writer = fileURLToPath(new URL('history-writer.mjs', import.meta.url));
const dieAtStep = fileURLToPath(new URL('die-at-step.mjs', import.meta.url));
const PIECE_BYTES = 20_000;
const PIECES = 5;

/** Lets a process keep generations until so many are stored, then kills it at once. @returns their ids. */
async function keepUntilKilled(dataDir: string, count: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [writer, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
    if (printed.split('\n').length > count) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return printed.split('\n').slice(0, -1);
}

function blobFiles(dataDir: string): string[] {
  const folder = join(dataDir, 'blobs');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
}

async function listAll(storage: Storage) {
  return storage.history.list({ accountId: 'default', limit: 10_000, direction: 'oldest-first' });
}

/** Lets a process keep one generation, and die before one of its steps. @returns its id, when it was stored. */
async function keepOneUntil(dataDir: string, step: number) {
  const child = spawn(process.execPath, ['--import', dieAtStep, writer, dataDir, String(step)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  await once(child, 'close');
  return { id: printed.trim(), wasKilled: child.signalCode === 'SIGKILL' };
}

/** That what is listed is whole, and that a sweep leaves that and nothing else. */
async function expectWhole(dataDir: string, stored: readonly string[]): Promise<number> {
  await using storage = await openStorageHere({ dataDir });
  const items = await listAll(storage);
  expect(items.map((item) => item.historyItemId)).toEqual(expect.arrayContaining([...stored]));
  for (const item of items) {
    const index = Number(/\d+/.exec(item.text)?.[0]);
    const audio = await storage.blobs.get(audioKey(item.historyItemId));
    const expected = Buffer.alloc(PIECE_BYTES * PIECES, index);
    expect(audio && (await buffer(audio)).equals(expected), item.text).toBe(true);
    expect(item.audioBytes).toBe(expected.length);
  }
  const anHourLater = () => Date.now() + 2 * 3_600_000;
  const failed = (cause: unknown) => expect.unreachable(String(cause));
  await new HistorySweeper({
    storage,
    keepForMs: undefined,
    keepBytes: NO_LIMIT,
    now: anHourLater,
    failed,
  }).sweep();
  expect((await listAll(storage)).length).toBe(items.length);
  expect(blobFiles(dataDir).length).toBe(items.length);
  expect(await storage.history.listHidden(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
  return items.length;
}

describe('history of a process that is killed', () => {
  it('has every item that was stored, whole, no half ones, and no rubbish after a sweep', async () => {
    const dataDir = temporaryDir();
    const stored: string[] = [];
    for (const count of [1, 6, 11, 17]) stored.push(...(await keepUntilKilled(dataDir, count)));
    expect(await expectWhole(dataDir, stored)).toBeGreaterThanOrEqual(stored.length);
  });

  it('has an item whole or not at all, whichever step of storing it was the last', async () => {
    const counts: number[] = [];
    for (let step = 0, isAlive = false; !isAlive; step += 4) {
      const ends = await Promise.all(
        [0, 1, 2, 3].map(async (offset) => {
          const dataDir = temporaryDir();
          const { id, wasKilled } = await keepOneUntil(dataDir, step + offset);
          expect(id === '').toBe(wasKilled);
          return { count: await expectWhole(dataDir, wasKilled ? [] : [id]), wasKilled };
        }),
      );
      counts.push(...ends.map(({ count }) => count));
      isAlive = ends.some(({ wasKilled }) => !wasKilled);
    }
    // First it was killed too early, and from some step on it was not.
    expect(counts).toEqual(counts.toSorted());
    expect(new Set(counts)).toEqual(new Set([0, 1]));
    expect(counts.length).toBeGreaterThan(12);
  }, 300_000);
});
