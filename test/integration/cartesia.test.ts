import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import Cartesia from '@cartesia/cartesia-js';
import { generate as makeCertificate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { App } from '../../src/app.ts';
import { CODECS, SAMPLE_CODECS } from '../../src/synthesis/audio/codec.ts';
import { readWav } from '../../src/synthesis/audio/wav.ts';
import { rmsDbfs } from '../support/audio-measures.ts';
import { REAL_KEY, startRealServer } from '../support/real-server.ts';
import {
  blocksOf,
  expectMulawSpeech,
  readersEnvironment,
  readPage,
  run,
  runJavaScript,
  workFolder,
} from '../support/snippets.ts';

const TEXT = 'Your table is booked for seven.';
const WORDS = TEXT.split(' ');
const VOICE = 'f786b574-daa5-4673-aa0c-cbe3e8534c02';
const page = readPage('src/api/CARTESIA.md');
type Params = Cartesia.TTSGenerateParams;
const RAW = { container: 'raw', encoding: 'pcm_s16le', sample_rate: 16_000 } as const;
let app: App;

beforeAll(async () => {
  app = await startRealServer({ SIDETONE_WORKERS: '1' });
});
afterAll(() => app.close());

function clientWith(apiKey: string): Cartesia {
  return new Cartesia({ apiKey, baseURL: app.url, maxRetries: 0 });
}

const spoken = {
  model_id: 'sonic-3',
  transcript: TEXT,
  voice: { mode: 'id', id: VOICE },
  language: 'en',
} as const;

async function generated(output_format: object, others: object = {}): Promise<Uint8Array> {
  const params = { ...spoken, output_format, ...others } as Params;
  const response = await clientWith(REAL_KEY).tts.generate(params);
  return new Uint8Array(await response.arrayBuffer());
}

/** Whether it is speech: between a second and six, and as loud as speech is. */
function expectSpeech(samples: Float32Array, sampleRate: number): void {
  const seconds = samples.length / sampleRate;
  expect(seconds).toBeGreaterThan(1);
  expect(seconds).toBeLessThan(6);
  expect(rmsDbfs(samples)).toBeGreaterThan(-40);
}

/** The SDK speaks nothing but `wss`. @returns an https address that leads to the server. */
async function secureAddress(): Promise<string> {
  const { cert, private: key } = await makeCertificate([
    { name: 'commonName', value: 'localhost' },
  ]);
  const { hostname, port } = new URL(app.url);
  const proxy = createServer({ cert, key }, (client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) socket.on('error', () => undefined);
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  return `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

describe('the Cartesia SDK over HTTP', () => {
  it.each([
    ['pcm_s16le', 'pcm', 24_000],
    ['pcm_f32le', 'f32', 44_100],
    ['pcm_mulaw', 'ulaw', 8000],
    ['pcm_alaw', 'alaw', 16_000],
  ] as const)('hears %s, raw and in a file', async (encoding, codec, sample_rate) => {
    const format = { encoding, sample_rate };
    const raw = await generated({ container: 'raw', ...format });
    expectSpeech(SAMPLE_CODECS[codec].decode(raw), sample_rate);
    const wav = readWav(await generated({ container: 'wav', ...format }));
    expect(wav.sampleRate).toBe(sample_rate);
    expectSpeech(wav.samples, sample_rate);
  });

  it('hears mp3', async () => {
    const format = { container: 'mp3', sample_rate: 44_100, bit_rate: 128_000 };
    const seconds = CODECS.mp3.countSamples(await generated(format)) / 44_100;
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).toBeLessThan(6);
  });

  it('speaks faster when it asks to', async () => {
    const fast = await generated(RAW, { generation_config: { speed: 1.5 } });
    expect(fast.length).toBeLessThan((await generated(RAW)).length);
  });

  it('gets audio and words as events', async () => {
    const params = { ...spoken, output_format: RAW, add_timestamps: true, context_id: 'a' };
    const stream = await clientWith(REAL_KEY).tts.generateSSE(params);
    const audio: Buffer[] = [];
    const words: string[] = [];
    let last: string | undefined;
    for await (const event of stream) {
      if (event.type === 'chunk') audio.push(Buffer.from(event.data, 'base64'));
      if (event.type === 'timestamps') words.push(...event.word_timestamps.words);
      if (event.type !== 'error') expect(event.context_id).toBe('a');
      last = event.type;
    }
    expect(last).toBe('done');
    expect(words).toEqual(WORDS);
    expectSpeech(SAMPLE_CODECS.pcm.decode(Buffer.concat(audio)), RAW.sample_rate);
  });

  it('lists the voices, page by page, and each by its id', async () => {
    const client = clientWith(REAL_KEY);
    const ids: string[] = [];
    for await (const { id } of client.voices.list({ limit: 20 })) ids.push(id);
    expect(ids).toContain(app.defaultVoice.voiceId);
    expect(new Set(ids).size).toBe(ids.length);
    const voice = await client.voices.get(VOICE);
    expect(voice).toMatchObject({ id: VOICE, gender: 'feminine', language: 'en' });
  });

  it.each<[object, number, string]>([
    [{ voice: { mode: 'id', id: 'nobody' } }, 404, 'voice_not_found'],
    [{ model_id: 'sonic-99' }, 404, 'model_not_found'],
    [{ output_format: { ...RAW, sample_rate: 11_025 } }, 400, 'invalid_output_format'],
    [{ transcript: ' ' }, 400, 'empty_text'],
    [{ transcript: 5 }, 400, 'invalid_parameters'],
    [{ transcript: undefined, text: TEXT }, 400, 'invalid_parameters'],
  ])('is told in its own shape what is wrong with %j', async (others, status, code) => {
    await expect(generated(RAW, others)).rejects.toMatchObject({
      status,
      error: { error_code: code, title: expect.any(String), request_id: expect.any(String) },
    });
  });

  it('is told so of a wrong key', async () => {
    const speech = clientWith('wrong-key').tts.generate({ ...spoken, output_format: RAW });
    await expect(speech).rejects.toMatchObject({
      status: 401,
      error: { error_code: 'invalid_api_key' },
    });
  });
});

describe('the Cartesia SDK on a websocket', () => {
  it('streams text, interrupts it, and hears the turn after', async () => {
    // As a module it does not find the package `ws`.
    const { Cartesia: Client } = createRequire(import.meta.url)('@cartesia/cartesia-js') as {
      readonly Cartesia: typeof Cartesia;
    };
    const client = new Client({ apiKey: REAL_KEY, baseURL: await secureAddress() });
    const socket = await client.tts.websocket({ rejectUnauthorized: false });
    const { model_id, voice } = spoken;
    const options = { model_id, voice, output_format: RAW, add_timestamps: true };

    const overtaken = socket.context(options);
    await overtaken.push({ transcript: 'This is a long sentence that nobody wants to hear. ' });
    await overtaken.cancel();

    const context = socket.context(options);
    for (const transcript of TEXT.split(/(?<= )/)) await context.push({ transcript });
    await context.flush();
    await context.no_more_inputs();
    const audio: Uint8Array[] = [];
    const words: string[] = [];
    const types = new Set<string>();
    for await (const event of context.receive()) {
      types.add(event.type);
      if (event.type === 'chunk' && event.audio) audio.push(event.audio);
      if (event.type === 'timestamps') words.push(...(event.word_timestamps?.words ?? []));
    }
    expect(types).toEqual(new Set(['chunk', 'timestamps', 'flush_done', 'done']));
    expect(words).toEqual(WORDS);
    expectSpeech(SAMPLE_CODECS.pcm.decode(Buffer.concat(audio)), RAW.sample_rate);
    socket.close();
  });
});

describe('the page', () => {
  it('shows how to speak over HTTP', async () => {
    const [code = ''] = blocksOf(page, 'js');
    expectMulawSpeech(await runJavaScript(code, app));
  });

  it('has a command that makes a file of speech', async () => {
    const [command = ''] = blocksOf(page, 'sh');
    const folder = workFolder();
    await run('sh', ['-ec', command], { cwd: folder, env: readersEnvironment(app) });
    const { samples, sampleRate } = readWav(readFileSync(`${folder}/hello.wav`));
    expect(samples.length / sampleRate).toBeGreaterThan(0.2);
  });
});
