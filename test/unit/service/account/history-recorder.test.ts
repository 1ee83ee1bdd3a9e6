import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_VOICE_SETTINGS } from '../../../../src/domain/voice.ts';
import { History } from '../../../../src/service/account/history.ts';
import {
  type HistoryDraft,
  HistoryRecorder,
} from '../../../../src/service/account/history-recorder.ts';
import type { BlobStore } from '../../../../src/service/storage/blob-store.ts';
import { openStorageHere } from '../../../support/storage-here.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

const NOW_MS = 1_763_700_000_123;
const DRAFT: HistoryDraft = {
  accountId: 'default',
  requestId: 'request-1',
  voice: { voiceId: 'v'.repeat(20), name: 'Ada' },
  model: { modelId: 'svc_monolingual_v1' },
  text: 'Hello.',
  settings: DEFAULT_VOICE_SETTINGS,
  format: { name: 'ulaw_8000', contentType: 'audio/ulaw' },
};
const ALL = { accountId: 'default', limit: 10, direction: 'newest-first' } as const;

/** A recorder on real storage. @param faulty puts blobs instead of the real store. */
async function openRecorder(faulty?: (blobs: BlobStore) => BlobStore['put']) {
  const dataDir = temporaryDir();
  const storage = await openStorageHere({ dataDir });
  onTestFinished(() => storage.close());
  const real = storage.blobs;
  const blobs: BlobStore = {
    put: faulty?.(real) ?? ((key, content) => real.put(key, content)),
    get: (key, range) => real.get(key, range),
    size: (key) => real.size(key),
    delete: (key) => real.delete(key),
    discardUnfinished: (beforeMs) => real.discardUnfinished(beforeMs),
  };
  const lost: string[] = [];
  const recorder = new HistoryRecorder({
    storage: { history: storage.history, blobs },
    freeSpace: { assertRoomFor: async () => undefined },
    charactersUsed: async () => 106,
    now: () => NOW_MS,
    kept: () => undefined,
    lost: (historyItemId, cause) => lost.push(`${historyItemId}: ${(cause as Error).message}`),
  });
  const history = new History(storage, () => NOW_MS);
  return { storage, recorder, history, lost, dataDir };
}

function audioFiles(dataDir: string): string[] {
  const paths = readdirSync(join(dataDir, 'blobs'), { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => statSync(join(dataDir, 'blobs', path)).isFile());
}

describe('HistoryRecorder', () => {
  it('keeps what was written, with what is known of it', async () => {
    const { recorder, history } = await openRecorder();
    const recording = await recorder.begin(DRAFT);
    await recording.write(Buffer.from('au'));
    await recording.write(Buffer.from('dio'));
    const alignments = { alignment: null, normalized_alignment: null };
    await recording.finish({ characters: 6, alignments });
    const item = await history.find('default', recording.historyItemId);
    expect(item).toEqual({
      historyItemId: recording.historyItemId,
      accountId: 'default',
      requestId: 'request-1',
      voiceId: 'v'.repeat(20),
      voiceName: 'Ada',
      voiceCategory: 'premade',
      modelId: 'svc_monolingual_v1',
      text: 'Hello.',
      createdAtMs: NOW_MS,
      charactersBefore: 100,
      charactersAfter: 106,
      contentType: 'audio/ulaw',
      outputFormat: 'ulaw_8000',
      settings: DEFAULT_VOICE_SETTINGS,
      source: 'TTS',
      alignments,
      audioBytes: 5,
    });
    const audio = item && (await history.openAudio(item));
    expect(audio && String(await buffer(audio))).toBe('audio');
  });

  it('shows nothing of a generation that goes on', async () => {
    const { recorder, history } = await openRecorder();
    const recording = await recorder.begin(DRAFT);
    await recording.write(Buffer.alloc(100_000));
    expect(await history.list(ALL)).toEqual([]);
    await recording.finish({ characters: 6 });
    expect((await history.list(ALL)).length).toBe(1);
  });

  it('keeps recordings apart that run at the same time', async () => {
    const { recorder, history } = await openRecorder();
    const names = Array.from({ length: 20 }, (_, index) => `audio ${index}`);
    const recordings = await Promise.all(names.map((text) => recorder.begin({ ...DRAFT, text })));
    for (const part of [0, 1, 2]) {
      await Promise.all(
        recordings.map((each, index) => each.write(Buffer.from(`${index}.${part} `))),
      );
    }
    await Promise.all(recordings.map((each) => each.finish({ characters: 1 })));
    for (const [index, { historyItemId }] of recordings.entries()) {
      const item = await history.find('default', historyItemId);
      const audio = item && (await history.openAudio(item));
      expect(item?.text).toBe(names[index]);
      expect(audio && String(await buffer(audio))).toBe(`${index}.0 ${index}.1 ${index}.2 `);
    }
  });

  it('drops an abandoned recording without a trace, and without calling it lost', async () => {
    const { recorder, storage, dataDir, lost } = await openRecorder();
    const recording = await recorder.begin(DRAFT);
    await recording.write(Buffer.alloc(100_000));
    await recording.abandon();
    await recording.finish({ characters: 6 });
    expect(await storage.history.listHidden(NOW_MS + 1, 10)).toEqual([]);
    expect(audioFiles(dataDir)).toEqual([]);
    expect(lost).toEqual([]);
  });

  it('keeps a finished recording that is abandoned afterwards', async () => {
    const { recorder, history } = await openRecorder();
    const recording = await recorder.begin(DRAFT);
    await recording.finish({ characters: 6 });
    await recording.abandon();
    expect((await history.list(ALL)).length).toBe(1);
  });

  it('reports a disk that fills up half-way, and bothers nobody else with it', async () => {
    const { recorder, history, lost, dataDir } = await openRecorder(
      (blobs) => (key, content) => blobs.put(key, full(content)),
    );
    const recording = await recorder.begin(DRAFT);
    for (let index = 0; index < 50; index++) await recording.write(Buffer.alloc(10_000));
    await recording.finish({ characters: 6 });
    expect(lost).toEqual([`${recording.historyItemId}: ENOSPC: no space left on device, write`]);
    expect(await history.list(ALL)).toEqual([]);
    expect(audioFiles(dataDir)).toEqual([]);
  });

  it('reports a database that refuses the item, and shows no half of it', async () => {
    const { recorder, storage, lost } = await openRecorder();
    const recording = await recorder.begin(DRAFT);
    await recording.write(Buffer.alloc(1000));
    await storage.close();
    await recording.finish({ characters: 6 });
    expect(lost.length).toBe(1);
  });

  it('gives up when storage takes nothing, before memory fills up', async () => {
    let release: () => void = () => undefined;
    const { recorder, lost } = await openRecorder((blobs) => async (key, content) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return blobs.put(key, content);
    });
    const recording = await recorder.begin(DRAFT);
    for (let index = 0; index < 9; index++) await recording.write(Buffer.alloc(1024 * 1024));
    release();
    await recording.finish({ characters: 6 });
    expect(lost).toEqual([`${recording.historyItemId}: storage is too slow`]);
  });

  it('lets the speech go on when storage hangs', async () => {
    const { recorder } = await openRecorder(() => () => new Promise(() => undefined));
    const recording = await recorder.begin(DRAFT);
    await recording.write(Buffer.from('audio'));
    await expect(recording.finish({ characters: 6 })).resolves.toBeUndefined();
  });

  it('stores what is finished before it closes', async () => {
    const { recorder, history } = await openRecorder();
    const recording = await recorder.begin(DRAFT);
    const finishing = recording.finish({ characters: 6 });
    await recorder.close();
    expect((await history.list(ALL)).length).toBe(1);
    await finishing;
  });
});

/** A disk with room for one piece. */
async function* full(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    yield piece;
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  }
}
