import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from 'openai';
import { Stream } from 'openai/core/streaming';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { formatOfName } from '../../src/domain/audio.ts';
import { readWav } from '../../src/synthesis/audio/wav.ts';
import { decodeAudio } from '../contract/codec-decoders.ts';
import { rmsDbfs } from '../support/audio-measures.ts';
import { REAL_KEY, startRealServer } from '../support/real-server.ts';

const TEXT = 'Good morning, and thank you for calling.';
const LONG = 'This goes on and on, and nobody knows when it will be over. '.repeat(20);
type SpeechParams = OpenAI.Audio.SpeechCreateParams;
/** What OpenAI documents its events as (openai-node, `SpeechAudioDeltaEvent` and `SpeechAudioDoneEvent`). */
type SpeechEvent =
  | { readonly type: 'speech.audio.delta'; readonly audio: string }
  | { readonly type: 'speech.audio.done'; readonly usage: Record<string, number> };

let app: App;
let client: OpenAI;

beforeAll(async () => {
  app = await startRealServer({ SIDETONE_MAX_STREAMS: '20' });
  client = clientWith(REAL_KEY);
});
afterAll(() => app.close());

function clientWith(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${app.url}/v1`, maxRetries: 0 });
}

async function speak(params: Partial<SpeechParams> = {}, speaker = client): Promise<Response> {
  return speaker.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: TEXT, ...params });
}

async function bytes(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

/** 16-bit PCM, which is quick to measure. */
async function secondsOf(params: Partial<SpeechParams>): Promise<number> {
  return (await bytes(await speak({ ...params, response_format: 'pcm' }))).length / 48_000;
}

async function events(params: Partial<SpeechParams> = {}): Promise<SpeechEvent[]> {
  const response = await speak({ ...params, stream_format: 'sse' });
  const seen: SpeechEvent[] = [];
  const stream = Stream.fromSSEResponse<SpeechEvent>(response, new AbortController());
  for await (const event of stream) seen.push(event);
  return seen;
}

function audioOf(seen: readonly SpeechEvent[]): Buffer {
  return Buffer.concat(
    seen.flatMap((event) =>
      event.type === 'speech.audio.delta' ? [Buffer.from(event.audio, 'base64')] : [],
    ),
  );
}

async function errorOf(promise: Promise<unknown>): Promise<APIError> {
  const thrown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (thrown instanceof APIError) return thrown;
  throw new Error('The SDK threw no error of its own.', { cause: thrown });
}

async function call(route: string, body: object): Promise<Record<string, string>> {
  const [method = '', path = ''] = route.split(' ');
  const response = await fetch(app.url + path, {
    method,
    headers: { 'xi-api-key': REAL_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, string>;
}

/** A client of an account of its own. */
async function clientOf(account: object): Promise<OpenAI> {
  const { account_id: id } = await call('POST /v1/workspace/accounts', { name: 'S', ...account });
  const made = await call(`POST /v1/workspace/api-keys?account_id=${id}`, { name: 'bot' });
  return clientWith(made['api_key'] ?? '');
}

describe('the package "openai"', () => {
  it.each([
    [undefined, 'audio/mpeg', 'mp3_44100_128'],
    ['mp3', 'audio/mpeg', 'mp3_44100_128'],
    ['opus', 'audio/opus', 'opus_48000_64'],
    ['flac', 'audio/flac', 'flac_24000'],
    ['pcm', 'audio/pcm', 'pcm_24000'],
    ['ulaw_8000', 'audio/ulaw', 'ulaw_8000'],
  ])('hears speech as %s', async (asked, contentType, name) => {
    const format = formatOfName(name);
    const response = await speak(asked ? { response_format: asked as 'mp3' } : {});
    expect(response.headers.get('content-type')).toBe(contentType);
    expect(response.headers.get('character-cost')).toBe(String(TEXT.length));
    const samples = await decodeAudio(format, await bytes(response));
    expectSpeech(samples, format.sampleRate);
  });

  it('hears speech as wav, which says how long it is', async () => {
    const { samples, sampleRate } = readWav(await bytes(await speak({ response_format: 'wav' })));
    expect(sampleRate).toBe(24_000);
    expectSpeech(samples, sampleRate);
  });

  it('gets audio while more is made', async () => {
    const response = await speak({ input: LONG, response_format: 'pcm' });
    expect(response.headers.get('content-length')).toBeNull();
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(first?.value?.length).toBeGreaterThan(0);
    await reader?.cancel();
  });

  it('gets audio and what it cost as events', async () => {
    const params = { response_format: 'pcm', seed: 7 } as Partial<SpeechParams>;
    const seen = await events(params);
    const usage = { input_tokens: TEXT.length, output_tokens: 0, total_tokens: TEXT.length };
    expect(seen.at(-1)).toEqual({ type: 'speech.audio.done', usage });
    expect(seen.length).toBeGreaterThan(3);
    expect(audioOf(seen).equals(await bytes(await speak(params)))).toBe(true);
  });

  it('gets a wav file as one event', async () => {
    const seen = await events({ response_format: 'wav' });
    expect(seen.map(({ type }) => type)).toEqual(['speech.audio.delta', 'speech.audio.done']);
    expectSpeech(readWav(audioOf(seen)).samples, 24_000);
  });

  it('speaks with every voice that OpenAI names, and with voices here by id and name', async () => {
    const { voices } = (await (await fetch(`${app.url}/v1/audio/voices`)).json()) as {
      voices: Array<{ id: string; name: string }>;
    };
    const ids = voices.slice(0, 13).map(({ id }) => id);
    expect(ids).toEqual(
      'alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse'.split(' '),
    );
    const { voiceId, name } = app.defaultVoice;
    const spoken = [...ids, 'Onyx', voiceId, name.toUpperCase(), { id: voiceId }];
    for (const voice of spoken)
      expect(await secondsOf({ voice, input: 'Yes.' })).toBeGreaterThan(0.2);
  }, 60_000);

  it('is heard faster and slower, within what the engine can', async () => {
    const at = (speed: number) => secondsOf({ speed, seed: 1 } as Partial<SpeechParams>);
    const plain = await at(1);
    expect(await at(0.5)).toBeGreaterThan(1.4 * plain);
    expect(await at(2)).toBeLessThan(0.75 * plain);
    expect(await at(4)).toBe(await at(2.5));
  });

  it('may give instructions, which are not read aloud', async () => {
    const seed = { seed: 1 } as Partial<SpeechParams>;
    const model = 'gpt-4o-mini-tts';
    const told = await secondsOf({ ...seed, model, instructions: 'Speak like a pirate.' });
    expect(told).toBe(await secondsOf({ ...seed, model }));
  });

  it('finds the models, each by its id', async () => {
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts', 'svc_turbo_v1']),
    );
    expect(await client.models.retrieve('tts-1')).toMatchObject({ id: 'tts-1', object: 'model' });
  });
});

describe('the package "openai" throws', () => {
  it.each<[string, new (...args: never[]) => APIError, object, Partial<SpeechParams>]>([
    [
      'an unknown voice',
      NotFoundError,
      { code: 'voice_not_found', param: 'voice' },
      { voice: 'x' },
    ],
    [
      'an unknown model',
      NotFoundError,
      { code: 'model_not_found', param: 'model' },
      { model: 'x' },
    ],
    ['no text', BadRequestError, { code: 'empty_text', param: 'input' }, { input: ' ' }],
    [
      'too long a text',
      BadRequestError,
      { code: 'string_above_max_length', param: 'input' },
      { input: 'Hello. '.repeat(6000) },
    ],
    [
      'a format that there is not',
      BadRequestError,
      { code: 'invalid_output_format', param: 'response_format' },
      { response_format: 'aac' },
    ],
    [
      'a value of another type',
      BadRequestError,
      { code: 'invalid_parameters', param: 'input' },
      { input: 7 as unknown as string },
    ],
    [
      'a speed out of range',
      BadRequestError,
      { code: 'invalid_parameters', param: 'speed' },
      { speed: 9 },
    ],
  ])('%s, and says what to do', async (_what, type, fields, params) => {
    const error = await errorOf(speak(params));
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ ...fields, type: 'invalid_request_error' });
    expect(error.message.length).toBeGreaterThan(20);
  });

  it('a text in the field of the first wire, and names the field that is missing', async () => {
    const wrong = { text: TEXT, input: undefined } as unknown as Partial<SpeechParams>;
    const error = await errorOf(speak(wrong));
    expect(error).toMatchObject({ status: 400, param: 'input' });
  });

  it('a wrong key, wherever it is used', async () => {
    const stranger = clientWith('wrong-key-1');
    const acts = [
      () => speak({}, stranger),
      async () => stranger.models.list(),
      () => stranger.models.retrieve('x'),
    ];
    for (const act of acts) {
      const error = await errorOf(act());
      expect(error).toBeInstanceOf(AuthenticationError);
      expect(error.code).toBe('invalid_api_key');
    }
  });

  it('a key that may not speak', async () => {
    const made = await call('POST /v1/workspace/api-keys', { name: 'x', scopes: ['models_read'] });
    const error = await errorOf(speak({}, clientWith(made['api_key'] ?? '')));
    expect(error).toBeInstanceOf(PermissionDeniedError);
    expect(error.code).toBe('missing_permissions');
  });

  it('a spent quota, and too many requests at once', async () => {
    const poor = await clientOf({ tier: 'free', character_limit: 5 });
    const spent = await errorOf(speak({}, poor));
    expect(spent).toBeInstanceOf(RateLimitError);
    expect(spent).toMatchObject({ code: 'insufficient_quota', type: 'insufficient_quota' });

    const busy = await clientOf({ tier: 'free', concurrency_limit: 1 });
    // Models of the other group may speak twice as often at once.
    const model = 'tts-1-hd';
    const response = await speak({ input: LONG, model }, busy);
    const reader = response.body?.getReader();
    await reader?.read();
    const refused = await errorOf(speak({ model }, busy));
    await reader?.cancel();
    expect(refused).toBeInstanceOf(RateLimitError);
    expect(refused.code).toBe('too_many_concurrent_requests');
    expect(refused.headers?.get('retry-after')).toBe('1');
  });
});

describe('one address, two wires', () => {
  it('lists the models for whom the key says it is', async () => {
    const list = async (headers: Record<string, string>) =>
      (await fetch(`${app.url}/v1/models`, { headers })).json();
    const authorization = `Bearer ${REAL_KEY}`;
    expect(await list({ authorization })).toMatchObject({ object: 'list' });
    expect(await list({ 'xi-api-key': REAL_KEY })).toBeInstanceOf(Array);
    expect(await list({ 'xi-api-key': REAL_KEY, authorization })).toBeInstanceOf(Array);
  });

  it('keeps what was spoken in the history of the first wire', async () => {
    const response = await speak({ input: 'Kept.' });
    await response.arrayBuffer();
    const id = response.headers.get('history-item-id');
    const headers = { 'xi-api-key': REAL_KEY };
    await expect
      .poll(async () => (await fetch(`${app.url}/v1/history/${id}`, { headers })).json())
      .toMatchObject({ text: 'Kept.', voice_id: 'alloy' });
  });

  it('shows front ends models and voices without a key', async () => {
    const { models } = (await (await fetch(`${app.url}/v1/audio/models`)).json()) as {
      models: Array<{ id: string }>;
    };
    expect(models.map(({ id }) => id)).toContain('tts-1');
  });
});

/** Heard for as long as the text takes, and as loud as a voice. */
function expectSpeech(samples: Float32Array, sampleRate: number): void {
  const seconds = samples.length / sampleRate;
  expect(seconds).toBeGreaterThan(1.2);
  expect(seconds).toBeLessThan(5);
  expect(rmsDbfs(samples)).toBeGreaterThan(-35);
  expect(rmsDbfs(samples)).toBeLessThan(-8);
}
