import { Readable } from 'node:stream';
import { unzipSync } from 'fflate';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHttp } from '../../../../src/api/http/open-http.ts';
import { guardRoutes } from '../../../../src/api/identity/guard-routes.ts';
import { historyRoutes } from '../../../../src/api/resources/history.ts';
import type { Caller } from '../../../../src/domain/account.ts';
import { parseOutputFormat } from '../../../../src/domain/audio.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';
import type { HistoryItem } from '../../../../src/domain/history-item.ts';
import { audioKey, History } from '../../../../src/service/account/history.ts';
import { wavHeader } from '../../../../src/synthesis/audio/wav.ts';
import { historyItem } from '../../../contract/history-store-contract.ts';
import { noTokens } from '../../../support/no-tokens.ts';
import { openStorageHere } from '../../../support/storage-here.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';
import { memoryLogger } from './api-harness.ts';

const DAY_S = 86_400;
const NOW_S = 1_763_700_000;

const CALLER: Caller = {
  accountId: '',
  tier: 'business',
  concurrencyLimit: null,
  keyId: 'key',
  keyHash: '',
  scopes: 'all',
};

/** The real server with history on real storage. A key is the name of its account. */
async function openApi() {
  const storage = await openStorageHere({ dataDir: temporaryDir() });
  const app = openHttp(memoryLogger([]));
  guardRoutes(app, {
    authenticate: async (secret) => {
      if (secret) return { ...CALLER, accountId: secret };
      throw new SpeechError('authentication_required', 'An API key is needed.');
    },
    redeem: noTokens,
  });
  const history = new History(storage, Date.now);
  historyRoutes(app, history, (name, audioBytes) =>
    name.startsWith('mp3') ? undefined : wavHeader(parseOutputFormat(name), audioBytes),
  );
  onTestFinished(async () => {
    await app.close();
    await storage.close();
  });
  const keep = async (given: Partial<HistoryItem> = {}, audio = 'audio') => {
    const item = historyItem({ accountId: 'alice', audioBytes: audio.length, ...given });
    await storage.history.add(item, item.createdAtMs);
    await storage.blobs.put(audioKey(item.historyItemId), Readable.from([Buffer.from(audio)]));
    await storage.history.show(item.historyItemId);
    return item;
  };
  const call = (url: string, headers: Record<string, string> = { 'xi-api-key': 'alice' }) =>
    app.inject({ url, headers });
  const download = (payload: object) =>
    app.inject({
      method: 'POST',
      url: '/v1/history/download',
      headers: { 'xi-api-key': 'alice' },
      payload,
    });
  return { app, storage, keep, call, download };
}

describe('GET /v1/history', () => {
  it('says everything that clients read of an item', async () => {
    const { keep, call } = await openApi();
    const item = await keep({ text: 'Hello.', charactersBefore: 10, charactersAfter: 16 });
    const reply = await call('/v1/history');
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual({
      history: [
        {
          history_item_id: item.historyItemId,
          request_id: 'request-1',
          voice_id: item.voiceId,
          model_id: 'svc_monolingual_v1',
          voice_name: item.voiceName,
          voice_category: 'premade',
          text: 'Hello.',
          date_unix: 1_763_700_000,
          character_count_change_from: 10,
          character_count_change_to: 16,
          content_type: 'audio/mpeg',
          output_format: 'mp3_44100_128',
          state: 'created',
          settings: {
            stability: 0.5,
            similarity_boost: 0.75,
            style: 0,
            use_speaker_boost: true,
            speed: 1.15,
          },
          source: 'TTS',
          alignments: null,
          feedback: null,
          share_link_id: null,
          dialogue: null,
        },
      ],
      last_history_item_id: item.historyItemId,
      has_more: false,
      scanned_until: 1_763_700_000,
    });
  });

  it('is empty for an account that has none, whatever others have', async () => {
    const { keep, call } = await openApi();
    await keep();
    const reply = await call('/v1/history', { 'xi-api-key': 'bob' });
    expect(reply.json()).toEqual({
      history: [],
      last_history_item_id: null,
      has_more: false,
      scanned_until: null,
    });
  });

  it('hands out pages, newest first unless asked otherwise', async () => {
    const { keep, call } = await openApi();
    for (let index = 0; index < 5; index++) {
      await keep({ text: `${index}`, createdAtMs: (NOW_S + index) * 1000 });
    }
    const walk = async (more: string) => {
      const pages: string[] = [];
      let query = `page_size=2${more}`;
      while (true) {
        const page = (await call(`/v1/history?${query}`)).json();
        pages.push(page.history.map((item: { text: string }) => item.text).join(' '));
        if (!page.has_more) return pages;
        query = `page_size=2${more}&start_after_history_item_id=${page.last_history_item_id}`;
      }
    };
    expect(await walk('')).toEqual(['4 3', '2 1', '0']);
    expect(await walk('&sort_direction=asc')).toEqual(['0 1', '2 3', '4']);
  });

  it('filters', async () => {
    const { keep, call } = await openApi();
    await keep({ text: 'Guten Tag', voiceId: 'one', createdAtMs: (NOW_S - DAY_S) * 1000 });
    await keep({ text: 'Good day', modelId: 'other', source: 'STS', createdAtMs: NOW_S * 1000 });
    const found = async (query: string) => {
      const { history } = (await call(`/v1/history?${query}`)).json();
      return history.map((item: { text: string }) => item.text);
    };
    expect(await found('voice_id=one')).toEqual(['Guten Tag']);
    expect(await found('model_id=other')).toEqual(['Good day']);
    expect(await found('source=STS')).toEqual(['Good day']);
    expect(await found('source=Flows')).toEqual([]);
    expect(await found('search=TAG')).toEqual(['Guten Tag']);
    expect(await found(`date_before_unix=${NOW_S}`)).toEqual(['Guten Tag']);
    expect(await found(`date_after_unix=${NOW_S}`)).toEqual(['Good day']);
    expect(await found('search=day&voice_id=one')).toEqual([]);
  });

  it.each([
    'page_size=0',
    'page_size=-5',
    'page_size=1001',
    'page_size=many',
    'sort_direction=up',
    'source=radio',
    'start_after_history_item_id=../../etc/passwd',
    'date_before_unix=-1',
    'date_after_unix=1e300',
    `search=${'x'.repeat(201)}`,
  ])('refuses %.60s', async (query) => {
    const { call } = await openApi();
    const reply = await call(`/v1/history?${query}`);
    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail[0].loc).toEqual(['query', query.split('=')[0]]);
  });

  it('wants a key', async () => {
    const { call } = await openApi();
    expect((await call('/v1/history', {})).statusCode).toBe(401);
  });
});

describe('GET /v1/history/{id}', () => {
  it('has the alignments as well', async () => {
    const { keep, call } = await openApi();
    const times = {
      characters: ['H'],
      character_start_times_seconds: [0],
      character_end_times_seconds: [0.1],
    };
    const alignments = { alignment: times, normalized_alignment: times };
    const { historyItemId } = await keep({ alignments });
    const reply = await call(`/v1/history/${historyItemId}`);
    expect(reply.json()).toMatchObject({ history_item_id: historyItemId, alignments });
    const half = await keep({ alignments: { alignment: times, normalized_alignment: null } });
    expect((await call(`/v1/history/${half.historyItemId}`)).json().alignments).toBeNull();
  });

  it.each(['', '/audio'])('knows nothing of what is another account’s (%s)', async (path) => {
    const { keep, call } = await openApi();
    const { historyItemId } = await keep();
    const url = `/v1/history/${historyItemId}${path}`;
    for (const reply of [
      await call(url, { 'xi-api-key': 'bob' }),
      await call(`/v1/history/${'0'.repeat(20)}${path}`),
      await call(`/v1/history/..%2f..%2fsidetone.db%00${path}`),
    ]) {
      expect(reply.statusCode).toBe(404);
      expect(reply.json().detail).toMatchObject({ code: 'not_found', param: 'history_item_id' });
    }
  });
});

describe('GET /v1/history/{id}/audio', () => {
  it('sends the audio as it was sent the first time', async () => {
    const { keep, call } = await openApi();
    const { historyItemId } = await keep({ contentType: 'audio/ulaw' }, 'x'.repeat(100_000));
    const reply = await call(`/v1/history/${historyItemId}/audio`);
    expect(reply.statusCode).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'audio/ulaw',
      'content-length': '100000',
      'accept-ranges': 'bytes',
    });
    expect(reply.body).toBe('x'.repeat(100_000));
  });

  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=8-', 206, '89', 'bytes 8-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=5-999', 206, '56789', 'bytes 5-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=0-1,4-5', 200, '0123456789', undefined],
    ['bytes=4-2', 200, '0123456789', undefined],
    ['seconds=1-2', 200, '0123456789', undefined],
  ])('answers the range %s with %i', async (range, status, body, contentRange) => {
    const { keep, call } = await openApi();
    const { historyItemId } = await keep({}, '0123456789');
    const url = `/v1/history/${historyItemId}/audio`;
    const reply = await call(url, { 'xi-api-key': 'alice', range });
    expect(reply.statusCode).toBe(status);
    expect(reply.body).toBe(body);
    expect(reply.headers['content-range']).toBe(contentRange);
  });

  it('says so when the audio is gone though the item is not', async () => {
    const { keep, call, storage } = await openApi();
    const { historyItemId } = await keep();
    await storage.blobs.delete(audioKey(historyItemId));
    const reply = await call(`/v1/history/${historyItemId}/audio`);
    expect(reply.statusCode).toBe(404);
    expect(reply.json().detail.message).toMatch(/audio .* not stored any more/);
  });
});

describe('DELETE /v1/history/{id}', () => {
  it('removes the item with its audio, once, and only for its own account', async () => {
    const { app, keep, storage } = await openApi();
    const { historyItemId } = await keep();
    const url = `/v1/history/${historyItemId}`;
    const remove = (key: string) =>
      app.inject({ method: 'DELETE', url, headers: { 'xi-api-key': key } });
    expect((await remove('bob')).statusCode).toBe(404);
    expect((await remove('alice')).json()).toEqual({ status: 'ok' });
    expect((await remove('alice')).statusCode).toBe(404);
    expect(await storage.blobs.size(audioKey(historyItemId))).toBeUndefined();
  });
});

describe('POST /v1/history/download', () => {
  it('sends one item as itself', async () => {
    const { keep, download } = await openApi();
    const { historyItemId } = await keep({ voiceName: 'Ada "x"/../ Ωmega' });
    const reply = await download({ history_item_ids: [historyItemId, historyItemId] });
    expect(reply.statusCode).toBe(200);
    expect(reply.body).toBe('audio');
    expect(reply.headers).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-length': '5',
      'content-disposition': `attachment; filename="2025-11-21_Ada-x-mega_${historyItemId}.mp3"`,
    });
  });

  it('sends several as a ZIP archive, each under a name of its own', async () => {
    const { keep, download } = await openApi();
    const texts = ['first', 'second', 'x'.repeat(300_000)];
    const ids: string[] = [];
    for (const text of texts) ids.push((await keep({ voiceName: 'Ada' }, text)).historyItemId);
    const reply = await download({ history_item_ids: ids });
    expect(reply.headers['content-type']).toBe('application/zip');
    const files = unzipSync(reply.rawPayload);
    const named = Object.entries(files).map(([name, body]) => [name, Buffer.from(body).toString()]);
    expect(named).toEqual(ids.map((id, index) => [`2025-11-21_Ada_${id}.mp3`, texts[index]]));
  });

  it('wraps raw audio into WAV files', async () => {
    const { keep, download } = await openApi();
    const format = { outputFormat: 'ulaw_8000', contentType: 'audio/ulaw' };
    const { historyItemId } = await keep(format, 'audio');
    const reply = await download({ history_item_ids: [historyItemId], output_format: 'wav' });
    const header = Buffer.from(wavHeader(parseOutputFormat('ulaw_8000'), 5));
    expect(reply.headers).toMatchObject({ 'content-type': 'audio/wav', 'content-length': '50' });
    expect(reply.rawPayload).toEqual(Buffer.concat([header, Buffer.from('audio\0')]));
  });

  it('refuses to put compressed audio into WAV files', async () => {
    const { keep, download } = await openApi();
    const { historyItemId } = await keep();
    const reply = await download({ history_item_ids: [historyItemId], output_format: 'wav' });
    expect(reply.statusCode).toBe(403);
    expect(reply.json().detail).toMatchObject({
      code: 'invalid_output_format',
      param: 'output_format',
    });
  });

  it('refuses more than an archive can hold, before it sends anything', async () => {
    const { keep, download } = await openApi();
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) {
      ids.push((await keep({ audioBytes: 2 ** 31 - 1 })).historyItemId);
    }
    const reply = await download({ history_item_ids: ids });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().detail.message).toMatch(/fewer items/);
  });

  it('refuses all when one is not there', async () => {
    const { keep, download } = await openApi();
    const { historyItemId } = await keep();
    const reply = await download({ history_item_ids: [historyItemId, 'unknown'] });
    expect(reply.statusCode).toBe(404);
    expect(reply.json().detail.message).toContain('"unknown"');
  });

  it.each([
    ['no ids', { history_item_ids: [] }],
    ['nothing', {}],
    ['an id that is none', { history_item_ids: [{}] }],
    ['too many ids', { history_item_ids: Array.from({ length: 1001 }, String) }],
    ['another format', { history_item_ids: ['x'], output_format: 'mp3' }],
  ])('refuses %s', async (_name, body) => {
    const { download } = await openApi();
    expect((await download(body)).statusCode).toBe(422);
  });
});
