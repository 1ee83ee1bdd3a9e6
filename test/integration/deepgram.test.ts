import { readFileSync } from 'node:fs';
import { DeepgramClient } from '@deepgram/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { CODECS } from '../../src/synthesis/audio/codec.ts';
import { mulaw } from '../../src/synthesis/audio/codecs/mulaw.ts';
import { pcm16 } from '../../src/synthesis/audio/codecs/pcm16.ts';
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
const MODEL = 'aura-2-thalia-en';
const page = readPage('src/api/DEEPGRAM.md');
let app: App;

beforeAll(async () => {
  app = await startRealServer({ SIDETONE_WORKERS: '1' });
});
afterAll(() => app.close());

function clientWith(apiKey: string): DeepgramClient {
  return new DeepgramClient({ apiKey, baseUrl: app.url, maxRetries: 0 });
}

/** Whether it is speech: between a second and six, and as loud as speech is. */
function expectSpeech(samples: Float32Array, sampleRate: number): void {
  const seconds = samples.length / sampleRate;
  expect(seconds).toBeGreaterThan(1);
  expect(seconds).toBeLessThan(6);
  expect(rmsDbfs(samples)).toBeGreaterThan(-40);
}

async function generated(request: object) {
  const generate = clientWith(REAL_KEY).speak.v1.audio.generate({
    text: TEXT,
    model: MODEL,
    ...request,
  });
  const { data, rawResponse } = await generate.withRawResponse();
  return { audio: new Uint8Array(await data.arrayBuffer()), headers: rawResponse.headers };
}

describe('the Deepgram SDK over HTTP', () => {
  it('hears mp3 unless it asks for something else, and is told who speaks', async () => {
    const { audio, headers } = await generated({});
    expect(headers.get('content-type')).toBe('audio/mpeg');
    expect(headers.get('dg-model-name')).toBe(MODEL);
    expect(headers.get('dg-char-count')).toBe(String(TEXT.length));
    expect(headers.get('dg-request-id')).toBe(headers.get('x-trace-id'));
    const seconds = CODECS.mp3.countSamples(audio) / 22_050;
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).toBeLessThan(6);
  });

  it('hears the encodings, rates and containers that it asks for', async () => {
    const wav = readWav((await generated({ encoding: 'linear16' })).audio);
    expect(wav.sampleRate).toBe(24_000);
    expectSpeech(wav.samples, 24_000);
    const phone = await generated({ encoding: 'mulaw', container: 'none' });
    expectSpeech(mulaw.decode(phone.audio), 8000);
    const wide = readWav((await generated({ encoding: 'alaw', sample_rate: 16_000 })).audio);
    expect(wide.sampleRate).toBe(16_000);
    expectSpeech(wide.samples, 16_000);
    const raw = await generated({ encoding: 'linear16', container: 'none', sample_rate: 8000 });
    expect(raw.headers.get('content-type')).toBe('audio/l16;rate=8000;channels=1');
    expectSpeech(pcm16.decode(raw.audio), 8000);
    const { audio } = await generated({ encoding: 'opus', container: 'ogg' });
    expect(Buffer.from(audio.subarray(0, 4)).toString('latin1')).toBe('OggS');
  });

  it('speaks faster when it asks to', async () => {
    const asked = { encoding: 'mulaw', container: 'none' };
    const { audio, headers } = await generated({ ...asked, speed: 1.5 });
    expect(headers.get('dg-speed-used')).toBe('1.2');
    expect(audio.length).toBeLessThan((await generated(asked)).audio.length);
  });

  it.each([
    [{ model: 'aura-2-nobody-en' }, 400, 'INVALID_QUERY_PARAMETER'],
    [{ encoding: 'flac' }, 400, 'UNSUPPORTED_AUDIO_FORMAT'],
    [{ callback: 'https://example.com' }, 400, 'INVALID_QUERY_PARAMETER'],
    [{ text: ' ' }, 400, 'EMPTY_TEXT'],
    [{ text: 5 }, 400, 'INVALID_QUERY_PARAMETER'],
    [{ text: null, url: 'https://example.com' }, 400, 'INVALID_QUERY_PARAMETER'],
    [{ text: 'long '.repeat(3000) }, 413, 'PAYLOAD_TOO_LARGE'],
  ])('is told in its own shape what is wrong with %j', async (request, statusCode, code) => {
    await expect(generated(request)).rejects.toMatchObject({
      statusCode,
      body: { err_code: code, err_msg: expect.any(String), request_id: expect.any(String) },
    });
  });

  it('is told so of a wrong key', async () => {
    const speech = clientWith('wrong-key').speak.v1.audio.generate({ text: TEXT });
    await expect(speech).rejects.toMatchObject({
      statusCode: 401,
      body: { err_code: 'INVALID_AUTH' },
    });
  });

  it('leaves its speech in the history, which hands it out as a file', async () => {
    await generated({ encoding: 'alaw', sample_rate: 16_000, container: 'none' });
    const headers = { 'xi-api-key': REAL_KEY };
    const list = await fetch(`${app.url}/v1/history?page_size=1`, { headers });
    const { history } = (await list.json()) as { history: Array<Record<string, string>> };
    const [item] = history;
    expect(item).toMatchObject({ text: TEXT, voice_id: MODEL });
    const file = await fetch(`${app.url}/v1/history/${item?.['history_item_id']}/audio`, {
      headers,
    });
    expect(file.status).toBe(200);
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(16_000);
  });
});

describe('the Deepgram SDK on a websocket', () => {
  it('streams text, interrupts it, and hears the turn after', async () => {
    const speech = await clientWith(REAL_KEY).speak.v1.connect({
      ...{ model: MODEL, encoding: 'linear16', sample_rate: '16000' },
    });
    const audio: Blob[] = [];
    const waiting = new Map<string, () => void>();
    const told = (type: string) => new Promise<void>((resolve) => waiting.set(type, resolve));
    speech.on('message', (message: unknown) => {
      if (message instanceof Blob) audio.push(message);
      else waiting.get((message as { type: string }).type)?.();
    });
    const metadata = told('Metadata');
    speech.connect();
    await speech.waitForOpen();
    await metadata;

    const cleared = told('Cleared');
    speech.sendText({ type: 'Speak', text: 'This is a long sentence that nobody wants to hear. ' });
    speech.sendClear({ type: 'Clear' });
    await cleared;
    audio.length = 0;

    const flushed = told('Flushed');
    for (const word of TEXT.split(/(?<= )/)) speech.sendText({ type: 'Speak', text: word });
    speech.sendFlush({ type: 'Flush' });
    await flushed;
    const bytes = new Uint8Array(await new Blob(audio).arrayBuffer());
    expectSpeech(pcm16.decode(bytes), 16_000);

    const closed = new Promise<{ code: number }>((resolve) => speech.on('close', resolve));
    speech.sendClose({ type: 'Close' });
    expect((await closed).code).toBe(1000);
    speech.close();
  });
});

describe('the page', () => {
  it.each([
    ['over HTTP', 'audio.generate'],
    ['as a stream', 'v1.connect'],
  ])('shows how to speak %s', async (_how, mark) => {
    const code = blocksOf(page, 'js').find((block) => block.includes(mark)) ?? '';
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
