import { ElevenLabsClient, ElevenLabsError } from '@elevenlabs/elevenlabs-js';
import { UnprocessableEntityError } from '@elevenlabs/elevenlabs-js/api/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { REAL_KEY, startRealServer } from '../support/real-server.ts';
import { bytesOf, Scene } from './sdk-scene.ts';

const LONG = 'This goes on and on, and nobody knows when it will be over. '.repeat(20);
const NOBODY = 'A1b2C3d4E5f6G7h8I9j0';

let app: App;

beforeAll(async () => {
  app = await startRealServer();
});
afterAll(() => app.close());

async function errorOf(promise: Promise<unknown>): Promise<ElevenLabsError> {
  const thrown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (thrown instanceof ElevenLabsError) return thrown;
  throw new Error('The SDK threw no error of its own.', { cause: thrown });
}

/** A client of an account of its own. */
async function clientOf(account: object, options: ElevenLabsClient.Options = {}) {
  const scene = new Scene(app);
  const made = await scene.call('POST /v1/workspace/accounts', { name: 'Small', ...account });
  const { account_id: id } = made as { account_id: string };
  const query = `account_id=${id}`;
  const key = await scene.call(`POST /v1/workspace/api-keys?${query}`, { name: 'bot' });
  const { api_key: apiKey } = key as { api_key: string };
  return new ElevenLabsClient({ apiKey, baseUrl: app.url, maxRetries: 0, ...options });
}

describe('the official SDK throws', () => {
  it.each<[string, number, object, (scene: Scene) => Promise<unknown>]>([
    [
      'a wrong key',
      401,
      { type: 'authentication_error', code: 'unauthorized', status: 'invalid_api_key' },
      () => new ElevenLabsClient({ apiKey: 'wrong-key-1', baseUrl: app.url }).user.get(),
    ],
    [
      'an unknown voice',
      404,
      { type: 'not_found', code: 'voice_not_found', status: 'voice_not_found', param: 'voice_id' },
      ({ client }) => client.textToSpeech.convert(NOBODY, { text: 'Hello.' }),
    ],
    [
      'an unknown history item',
      404,
      { type: 'not_found', code: 'not_found' },
      ({ client }) => client.history.get('0'.repeat(20)),
    ],
    [
      'an unknown model',
      400,
      { type: 'validation_error', code: 'unsupported_model', param: 'model_id' },
      ({ client, voiceId }) =>
        client.textToSpeech.convert(voiceId, { text: 'Hello.', modelId: 'eleven_v9' }),
    ],
    [
      'an empty text',
      400,
      { type: 'validation_error', code: 'empty_text' },
      ({ client, voiceId }) => client.textToSpeech.convert(voiceId, { text: ' ' }),
    ],
    [
      'a voice of recordings',
      409,
      { type: 'conflict', code: 'voice_not_prepared' },
      async (scene) =>
        scene.client.textToSpeech.convert(await scene.ownVoice(), { text: 'Hello.' }),
    ],
  ])('%s as %i, with the body that says why', async (_name, statusCode, detail, act) => {
    const error = await errorOf(act(new Scene(app)));
    expect(error.statusCode).toBe(statusCode);
    expect(error.body).toMatchObject({ detail });
    const { request_id } = (error.body as { detail: { request_id: string } }).detail;
    expect(error.rawResponse?.headers.get('x-trace-id')).toBe(request_id);
  });

  it('a request that fits no schema as its own class of error, with a list', async () => {
    const { client } = new Scene(app);
    const error = await errorOf(client.history.list({ pageSize: 5000 }));
    expect(error).toBeInstanceOf(UnprocessableEntityError);
    expect(error.body).toMatchObject({
      detail: [{ loc: ['query', 'page_size'], msg: expect.any(String), type: expect.any(String) }],
    });
  });

  it('a format above the tier as 403', async () => {
    const client = await clientOf({ tier: 'free' });
    const { voiceId } = new Scene(app);
    const outputFormat = 'pcm_44100';
    const error = await errorOf(
      client.textToSpeech.convert(voiceId, { text: 'Hi.', outputFormat }),
    );
    expect(error.statusCode).toBe(403);
    expect(error.body).toMatchObject({
      detail: { code: 'subscription_required', status: 'output_format_not_allowed' },
    });
  });

  it('a spent quota as 401, without asking again', async () => {
    const client = await clientOf({ tier: 'free', character_limit: 5 }, { maxRetries: 2 });
    const { voiceId } = new Scene(app);
    const error = await errorOf(client.textToSpeech.convert(voiceId, { text: 'Good morning.' }));
    expect(error.statusCode).toBe(401);
    expect(error.body).toMatchObject({ detail: { status: 'quota_exceeded' } });
  });

  it('too many requests at once as 429, and comes again when it is told to', async () => {
    const client = await clientOf({ tier: 'free', concurrency_limit: 1 });
    const { voiceId } = new Scene(app);
    const outputFormat = 'ulaw_8000';
    const stream = await client.textToSpeech.stream(voiceId, { text: LONG, outputFormat });
    const reader = stream.getReader();
    await reader.read();
    const error = await errorOf(client.textToSpeech.convert(voiceId, { text: 'Hello.' }));
    expect(error.statusCode).toBe(429);
    expect(error.body).toMatchObject({
      detail: { type: 'rate_limit_error', status: 'too_many_concurrent_requests' },
    });
    const headers = error.rawResponse?.headers;
    expect(headers?.get('retry-after')).toBe('1');
    expect(headers?.get('current-concurrent-requests')).toBe('1');
    expect(headers?.get('maximum-concurrent-requests')).toBe('1');
    const patient = client.textToSpeech.convert(voiceId, { text: 'Hello.' }, { maxRetries: 2 });
    await reader.cancel();
    expect((await bytesOf(await patient)).length).toBeGreaterThan(1000);
  });
});

/** `client.generate()` of the package `elevenlabs` 1.59, as it was recorded on the wire. */
describe('the old SDK', () => {
  const headers = {
    'xi-api-key': REAL_KEY,
    'x-fern-language': 'JavaScript',
    'x-fern-sdk-name': 'elevenlabs',
    'x-fern-sdk-version': '1.59.0',
    'user-agent': 'elevenlabs/1.59.0',
    'x-fern-runtime': 'node',
  };

  it.each([true, false])(
    'looks a voice up by its name and speaks, streamed: %s',
    async (stream) => {
      const listed = await fetch(`${app.url}/v1/voices?show_legacy=true`, { headers });
      const { voices } = (await listed.json()) as { voices: { voice_id: string; name: string }[] };
      const { name: voice } = app.defaultVoice;
      const id = voices.find(({ name }) => name === voice)?.voice_id;
      expect(id).toBe(app.defaultVoice.voiceId);
      const query = 'optimize_streaming_latency=3&output_format=ulaw_8000';
      const path = `/v1/text-to-speech/${id}${stream ? '/stream' : ''}?${query}`;
      const reply = await fetch(app.url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({
          stream,
          voice,
          text: 'Hello there.',
          model_id: 'eleven_turbo_v2_5',
        }),
      });
      expect(reply.status).toBe(200);
      expect(reply.headers.get('content-type')).toBe('audio/ulaw');
      expect((await reply.arrayBuffer()).byteLength).toBeGreaterThan(4000);
    },
  );
});
