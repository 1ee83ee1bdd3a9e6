import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { audioKey, History } from '../../../../src/service/account/history.ts';
import { HistorySweeper } from '../../../../src/service/account/history-sweeper.ts';
import type { Storage } from '../../../../src/service/storage/storage.ts';
import { historyItem } from '../../../contract/history-store-contract.ts';
import { openStorageHere } from '../../../support/storage-here.ts';
import { NO_LIMIT } from '../../../support/storages.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const NOW_MS = 1_763_700_000_000;

async function openAll() {
  const dataDir = temporaryDir();
  const storage = await openStorageHere({ dataDir });
  onTestFinished(() => storage.close());
  return { storage, dataDir };
}

/** An item with its audio. @returns its id. */
async function keep(storage: Storage, createdAtMs: number, isShown = true): Promise<string> {
  const item = historyItem({ createdAtMs });
  const key = audioKey(item.historyItemId);
  await storage.history.add(item, createdAtMs);
  await storage.blobs.put(key, Readable.from([Buffer.from('audio')]));
  if (isShown) await storage.history.show(item.historyItemId);
  return item.historyItemId;
}

function sweeperAt(
  storage: Storage,
  nowMs: number,
  keepForMs?: number,
  keepBytes = NO_LIMIT,
): HistorySweeper {
  const failed = (cause: unknown) => expect.unreachable(String(cause));
  return new HistorySweeper({ storage, keepForMs, keepBytes, now: () => nowMs, failed });
}

describe('HistorySweeper', () => {
  it('hides what is past its time at once, and removes it for good later', async () => {
    const { storage } = await openAll();
    const old = await keep(storage, NOW_MS - 3 * DAY_MS);
    const recent = await keep(storage, NOW_MS - DAY_MS);
    await sweeperAt(storage, NOW_MS, 2 * DAY_MS).sweep();
    expect(await storage.history.find('default', old)).toBeUndefined();
    await sweeperAt(storage, NOW_MS + 2 * HOUR_MS, 2 * DAY_MS).sweep();
    expect(await storage.blobs.size(audioKey(old))).toBeUndefined();
    expect(await storage.history.listHidden(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    expect(await storage.history.find('default', recent)).toBeDefined();
    expect(await storage.blobs.size(audioKey(recent))).toBe(5);
  });

  it('keeps everything where there is no limit', async () => {
    const { storage } = await openAll();
    const old = await keep(storage, 1000);
    await sweeperAt(storage, NOW_MS).sweep();
    expect(await storage.history.find('default', old)).toBeDefined();
  });

  it('hides the oldest of what an account has too much of, and nothing of others', async () => {
    const { storage } = await openAll();
    const items = [1, 2, 3, 4].map((createdAtMs) =>
      historyItem({ createdAtMs, audioBytes: 100, historyItemId: `item-${createdAtMs}` }),
    );
    const foreign = historyItem({ accountId: 'other', audioBytes: 250, historyItemId: 'item-0' });
    for (const item of [...items, foreign]) {
      await storage.history.add(item, NOW_MS);
      await storage.history.show(item.historyItemId);
    }
    await sweeperAt(storage, NOW_MS, undefined, 250).sweep();
    const kept = await Promise.all(
      items.map((item) => storage.history.find('default', item.historyItemId)),
    );
    expect(kept.map((item) => item !== undefined)).toEqual([false, false, true, true]);
    expect(await storage.history.find('other', 'item-0')).toBeDefined();
  });

  it('removes what crashes left behind, and leaves alone what may still be under way', async () => {
    const { storage, dataDir } = await openAll();
    const left: string[] = [];
    // More than one batch.
    for (let index = 0; index < 120; index++) {
      left.push(await keep(storage, NOW_MS - 2 * HOUR_MS, false));
    }
    const underWay = await keep(storage, NOW_MS - 1000, false);
    const spool = join(dataDir, 'blobs', '.unfinished');
    mkdirSync(spool, { recursive: true });
    for (const [name, touchedAtMs] of [
      ['left', NOW_MS - 2 * HOUR_MS],
      ['fresh', NOW_MS],
    ] as const) {
      writeFileSync(join(spool, name), 'half');
      utimesSync(join(spool, name), touchedAtMs / 1000, touchedAtMs / 1000);
    }
    await sweeperAt(storage, NOW_MS).sweep();
    expect(await storage.history.listHidden(Number.MAX_SAFE_INTEGER, 200)).toEqual([underWay]);
    expect(await storage.blobs.size(audioKey(left[0] ?? ''))).toBeUndefined();
    expect(await storage.blobs.size(audioKey(underWay))).toBe(5);
    expect(readdirSync(spool)).toEqual(['fresh']);
  });

  it('sweeps when it is started, and says what failed', async () => {
    const { storage } = await openAll();
    const left = await keep(storage, NOW_MS - 2 * HOUR_MS, false);
    const sweeper = sweeperAt(storage, NOW_MS);
    sweeper.start();
    await sweeper.close();
    expect(await storage.blobs.size(audioKey(left))).toBeUndefined();

    await storage.close();
    const failures: unknown[] = [];
    const failing = new HistorySweeper({
      storage,
      keepForMs: 1,
      keepBytes: NO_LIMIT,
      now: () => NOW_MS,
      failed: (cause) => failures.push(cause),
    });
    failing.start();
    await failing.close();
    expect(failures.length).toBe(1);
  });
});

describe('History', () => {
  it('deletes an item with its audio', async () => {
    const { storage, dataDir } = await openAll();
    const id = await keep(storage, NOW_MS);
    const history = new History(storage, () => NOW_MS);
    expect(await history.delete('other', id)).toBe(false);
    expect(await history.delete('default', id)).toBe(true);
    expect(await history.delete('default', id)).toBe(false);
    const paths = readdirSync(join(dataDir, 'blobs'), { recursive: true, encoding: 'utf8' });
    expect(paths.filter((path) => statSync(join(dataDir, 'blobs', path)).isFile())).toEqual([]);
    expect(await storage.history.listHidden(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
  });
});
