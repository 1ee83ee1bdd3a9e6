import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { App } from '../../../src/app.ts';
import { openStream, REAL_KEY, speakWords, startRealServer } from '../../support/real-server.ts';
import { StreamClient } from '../../support/stream-client.ts';
import { verifies } from '../verifies.ts';

const TEXT = 'Thank you for calling.';

let app: App;
let voiceId: string;

beforeAll(async () => {
  app = await startRealServer();
  voiceId = app.defaultVoice.voiceId;
});
afterAll(() => app.close());

async function get(path: string): Promise<Record<string, unknown>> {
  const response = await fetch(app.url + path, { headers: { 'xi-api-key': REAL_KEY } });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

const usedCharacters = async () => (await get('/v1/user/subscription'))['character_count'];

describe('the whole server, with real voices', () => {
  verifies(
    ['quota:once', 'quota:history'],
    'charges what the websockets speak, and stores nothing of it',
    async () => {
      const before = Number(await usedCharacters());
      await speakWords(app, voiceId, 'output_format=ulaw_8000', TEXT);
      expect(await usedCharacters()).toBe(before + TEXT.length);
      expect(await get('/v1/history')).toMatchObject({ history: [], has_more: false });
      const url = `${app.url}/v1/text-to-speech/${voiceId}?output_format=ulaw_8000`;
      const headers = { 'xi-api-key': REAL_KEY, 'content-type': 'application/json' };
      const reply = await fetch(url, { method: 'POST', headers, body: `{"text":"${TEXT}"}` });
      await reply.arrayBuffer();
      // The same text over REST is stored, so that the list would have shown what was.
      await expect
        .poll(async () => (await get('/v1/history'))['history'])
        .toMatchObject([{ text: TEXT }]);
    },
  );

  verifies('auth:single-use-token', 'opens with a token that it gave away', async () => {
    const reply = await fetch(`${app.url}/v1/single-use-token/tts_websocket`, {
      method: 'POST',
      headers: { 'xi-api-key': REAL_KEY },
    });
    const { token } = (await reply.json()) as { token: string };
    const url = `${app.url.replace('http', 'ws')}/v1/text-to-speech/${voiceId}/stream-input`;
    for (const code of [1000, 1008]) {
      const client = new StreamClient(`${url}?single_use_token=${token}`);
      await client.opened();
      client.send({ text: TEXT }, { text: '' });
      expect((await client.closed).code).toBe(code);
      expect(client.audio().length > 0).toBe(code === 1000);
    }
  });

  verifies(['metrics:first-frame', 'metrics:messages'], 'measures itself', async () => {
    const client = await openStream(app, voiceId, 'optimize_streaming_latency=3');
    client.send({ text: TEXT }, { text: '' });
    await client.closed;
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics).toMatch(/^sidetone_first_frame_seconds_count\{level="3"\} [1-9]/m);
    expect(metrics).toMatch(/^sidetone_messages_total\{direction="in"\} [1-9]/m);
    expect(metrics).toMatch(/^sidetone_messages_total\{direction="out"\} [1-9]/m);
    expect(metrics).toMatch(/^sidetone_chunk_synthesis_seconds_count [1-9]/m);
  });

  verifies('jambonz:audio', 'speaks to jambonz', async () => {
    const url = `${app.url.replace('http', 'ws')}/v1/text-to-speech/${voiceId}/jambonz`;
    const client = new StreamClient(`${url}?voice=&language=en-US&sampleRate=8000`, {
      authorization: `Bearer ${REAL_KEY}`,
    });
    await client.opened();
    client.send({ type: 'stream', text: TEXT }, { type: 'flush' });
    await client.untilBinary(16_000);
    expect(client.frames.map(({ type }) => type)).toEqual(['connect']);
    client.send({ type: 'stop' });
    client.socket.terminate();
  });
});
