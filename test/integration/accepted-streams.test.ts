import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { REAL_KEY, startRealServer } from '../support/real-server.ts';
import { StreamClient } from '../support/stream-client.ts';

const QUERY = 'output_format=ulaw_8000&auto_mode=true&model_id=eleven_multilingual_v2';
const SENTENCE = 'Thank you for calling, and please stay on the line for a moment. ';
/** A minute of speech, which keeps a place for seconds on any machine. */
const MONOLOGUE = SENTENCE.repeat(20);

describe('a stream that was let in, on a server with one place and for an account with one request', () => {
  let app: App;
  let apiKey: string;

  async function post(path: string, body: object): Promise<Record<string, unknown>> {
    const headers = { 'xi-api-key': REAL_KEY, 'content-type': 'application/json' };
    const reply = await fetch(app.url + path, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    });
    expect(reply.status).toBeLessThan(300);
    return (await reply.json()) as Record<string, unknown>;
  }

  async function openStream(): Promise<StreamClient> {
    const path = `/v1/text-to-speech/${app.defaultVoice.voiceId}/stream-input?${QUERY}`;
    const client = new StreamClient(app.url.replace('http', 'ws') + path, { 'xi-api-key': apiKey });
    await client.opened();
    return client;
  }

  /** @returns a stream on which the text is heard; it may be refused a few times before. */
  async function speak(text: string): Promise<StreamClient> {
    for (;;) {
      const client = await openStream();
      let isClosed = false;
      void client.closed.then(() => {
        isClosed = true;
      });
      client.send({ text });
      await expect
        .poll(() => isClosed || client.audio().length > 0, { timeout: 60_000 })
        .toBe(true);
      if (client.audio().length > 0) return client;
    }
  }

  beforeAll(async () => {
    app = await startRealServer({ SIDETONE_MAX_STREAMS: '1', SIDETONE_REFUSE_WHEN_LATE: 'true' });
    await post('/v1/workspace/accounts', {
      ...{ account_id: 'one', name: 'One', tier: 'free' },
      ...{ concurrency_limit: 1, character_limit: null },
    });
    const key = await post('/v1/workspace/api-keys?account_id=one', { name: 'one' });
    apiKey = String(key['api_key']);
  });

  afterAll(() => app.close());

  it('goes on when another has begun', async () => {
    const speaking = await speak(SENTENCE);
    const monologue = await speak(MONOLOGUE);
    const first = speaking.audio().length;
    speaking.send({ text: SENTENCE, flush: true });
    speaking.send({ text: '' });
    expect(await speaking.closed).toMatchObject({ code: 1000 });
    expect(speaking.audio().length).toBeGreaterThan(1.5 * first);
    monologue.socket.terminate();
  }, 120_000);
});
