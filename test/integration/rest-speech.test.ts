import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { OUTPUT_FORMATS, parseOutputFormat } from '../../src/domain/audio.ts';
import { CODECS, sampleCodecOf } from '../../src/synthesis/audio/codec.ts';
import { decodeAudio } from '../contract/codec-decoders.ts';
import { rmsDbfs } from '../support/audio-measures.ts';
import { hear } from '../support/hear.ts';
import { openStream, REAL_KEY, startRealServer } from '../support/real-server.ts';
import { wordErrorRate } from '../support/word-errors.ts';

const TEXT = 'Your appointment is on March 3rd at 3:15 pm, and the fee is $42.50.';
const SPOKEN =
  'Your appointment is on March third at three fifteen p.m., and the fee is forty-two dollars and fifty cents.';
const SENTENCES = 'Thank you for calling. One moment please. How can I help you today?';

interface WireAlignment {
  readonly characters: string[];
  readonly character_end_times_seconds: number[];
}
interface TimedAudio {
  readonly audio_base64: string;
  readonly alignment: WireAlignment | null;
}

let app: App;
let voiceId: string;

beforeAll(async () => {
  app = await startRealServer();
  voiceId = app.defaultVoice.voiceId;
});
afterAll(() => app.close());

function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(`${app.url}/v1/text-to-speech/${voiceId}${path}`, {
    method: 'POST',
    headers: { 'xi-api-key': REAL_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

async function audio(path: string, body: unknown): Promise<Buffer> {
  const response = await post(path, body);
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Chunks that are being spoken. */
async function liveJobs(): Promise<number> {
  const response = await fetch(`${app.url}/health`);
  const { engine } = (await response.json()) as { engine: { liveJobs: number } };
  return engine.liveJobs;
}

/** The same text over the websocket, flushed in one message. */
async function streamed(query: string, text: string): Promise<Buffer> {
  const client = await openStream(app, voiceId, query);
  client.send({ text, flush: true }, { text: '' });
  await client.closed;
  return client.audio();
}

describe('a well-known voice id', () => {
  it('speaks over websocket and REST, and is what the history calls it', async () => {
    const alias = 'pNInz6obpgDQGcFmaJgB';
    const stream = await openStream(app, alias, 'output_format=ulaw_8000');
    stream.send({ text: 'Hello. ', flush: true });
    await stream.until(({ audio }) => Boolean(audio));
    stream.socket.close();
    const reply = await fetch(`${app.url}/v1/text-to-speech/${alias}`, {
      method: 'POST',
      headers: { 'xi-api-key': REAL_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Hello.' }),
    });
    expect((await reply.arrayBuffer()).byteLength).toBeGreaterThan(4000);
    await expect
      .poll(
        async () => {
          const url = `${app.url}/v1/history?voice_id=${alias}`;
          const page = await fetch(url, { headers: { 'xi-api-key': REAL_KEY } });
          const { history } = (await page.json()) as { history: object[] };
          return history;
        },
        { timeout: 20_000 },
      )
      .toMatchObject([{ voice_id: alias, voice_name: 'Victor' }]);
  });

  it('that nobody knows is refused with what to do', async () => {
    const reply = await fetch(`${app.url}/v1/voices/00000000000000000000`);
    expect(reply.status).toBe(404);
    expect(await reply.text()).toMatch(/GET \/v1\/voices.*SIDETONE_VOICE_ALIASES/);
  });
});

describe('speech over REST', () => {
  it('is mp3 that players decode, unless something else is asked for', async () => {
    const mp3 = await audio('', { text: TEXT });
    const samples = await decodeAudio(parseOutputFormat('mp3_44100_128'), mp3);
    expect(samples.length / 44_100).toBeGreaterThan(3);
    expect(rmsDbfs(samples)).toBeGreaterThan(-30);
  });

  it('is understood over the phone, streamed or in one piece', async () => {
    for (const path of ['/stream', '']) {
      const bytes = await audio(`${path}?output_format=ulaw_8000`, { text: TEXT, seed: 7 });
      const heard = await hear(bytes);
      expect(wordErrorRate(SPOKEN, heard), heard).toBeLessThanOrEqual(0.15);
    }
  });

  it.each(OUTPUT_FORMATS.filter(({ name }) => !name.startsWith('wav')).map(({ name }) => name))(
    'is the same speech in %s',
    async (name) => {
      const format = parseOutputFormat(name);
      const body = { text: 'Thank you for calling.', seed: 3 };
      const reference = await audio('?output_format=pcm_16000', body);
      const samples = await decodeAudio(format, await audio(`?output_format=${name}`, body));
      const seconds = reference.length / 2 / 16_000;
      // Lossy codecs add up to a frame before the speech and another after it.
      expect(samples.length / format.sampleRate).toBeGreaterThanOrEqual(seconds - 0.001);
      expect(samples.length / format.sampleRate).toBeLessThan(seconds + 0.12);
      const level = rmsDbfs(sampleCodecOf(parseOutputFormat('pcm_16000')).decode(reference));
      expect(Math.abs(rmsDbfs(samples) - level)).toBeLessThan(1);
    },
  );

  it('repeats its bytes for a seed, in one piece or streamed, and varies without one', async () => {
    const path = '?output_format=pcm_16000&optimize_streaming_latency=2';
    const [whole, again, stream, free] = await Promise.all([
      audio(path, { text: SENTENCES, seed: 5 }),
      audio(path, { text: SENTENCES, seed: 5 }),
      audio(`/stream${path}`, { text: SENTENCES, seed: 5 }),
      audio(path, { text: SENTENCES }),
    ]);
    expect(whole.equals(again)).toBe(true);
    expect(whole.equals(stream)).toBe(true);
    expect(whole.equals(free)).toBe(false);
  });

  it.each([
    [0, SENTENCES],
    [3, 'Thank you for calling.'],
  ])('says at level %i what the websocket says, byte for byte', async (level, text) => {
    const query = `output_format=pcm_16000&optimize_streaming_latency=${level}&seed=9`;
    const rest = await audio(`/stream?${query.replace('&seed=9', '')}`, { text, seed: 9 });
    expect(rest.equals(await streamed(query, text))).toBe(true);
  });

  it('streams from the first window on', async () => {
    const response = await post('/stream?output_format=ulaw_8000', { text: `${TEXT} `.repeat(8) });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(first?.done).toBe(false);
    await expect.poll(liveJobs).toBe(1);
    let bytes = first?.value?.length ?? 0;
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      bytes += next.value.length;
    }
    expect(bytes).toBeGreaterThan(10 * (first?.value?.length ?? 0));
  });

  it.each(['mp3_44100_128', 'opus_48000_32', 'ulaw_8000'])(
    'times every character of the text in %s, on every line that has some',
    async (format) => {
      const path = `/stream/with-timestamps?output_format=${format}&optimize_streaming_latency=3`;
      const lines = (await audio(path, { text: SENTENCES, seed: 2 }))
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as TimedAudio);
      const characters = lines.flatMap(({ alignment }) => alignment?.characters ?? []);
      expect(characters.join('').replaceAll(/\s+/g, ' ').trim()).toBe(SENTENCES);
      const ends = lines.flatMap(({ alignment }) => alignment?.character_end_times_seconds ?? []);
      expect(ends).toEqual(ends.toSorted((one, other) => one - other));
      const bytes = Buffer.concat(lines.map((line) => Buffer.from(line.audio_base64, 'base64')));
      const { codec, sampleRate } = parseOutputFormat(format);
      const seconds = CODECS[codec].countSamples(bytes) / sampleRate;
      expect(Math.abs((ends.at(-1) ?? 0) - seconds)).toBeLessThan(0.12);
    },
  );

  it('stops working for a caller who hangs up', async () => {
    const abort = new AbortController();
    const body = { text: `${TEXT} `.repeat(40) };
    const response = await post('/stream?output_format=ulaw_8000', body, abort.signal);
    await response.body?.getReader().read();
    abort.abort();
    await expect.poll(liveJobs).toBe(0);
  });

  it('speaks a foreign name within its own words, and leaves those understood', async () => {
    const spoken = await audio('?output_format=ulaw_8000', {
      text: 'Please call Владимир tomorrow morning.',
      seed: 1,
    });
    expect(await hear(spoken)).toMatch(/^please call [\w ]+ tomorrow morning\W*$/i);
  });

  it('tells of text of which nothing can be said, and charges nothing for it', async () => {
    const response = await post('/stream', { text: '𒀀𒀁 𒀂' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ detail: { code: 'unsupported_script' } });
  });
});
