import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { OUTPUT_FORMATS } from '../../src/domain/audio.ts';
import { playingTimeMs, SAMPLE_CODECS } from '../../src/synthesis/audio/codec.ts';
import { rmsDbfs } from '../support/audio-measures.ts';
import { hear } from '../support/hear.ts';
import { openStream, REAL_KEY, speakWords, startRealServer } from '../support/real-server.ts';
import { wordErrorRate } from '../support/word-errors.ts';

const HEADLINE = 'Your appointment is on March 3rd at 3:15 pm, and the fee is $42.50.';
const SPOKEN =
  'Your appointment is on March third at three fifteen p.m., and the fee is forty-two dollars and fifty cents.';
const SHORT = 'Thank you for calling. How can I help you today?';

/** What phone agents say; also what the benches speak. */
function agentSentences(): string[] {
  const file = new URL('../fixtures/text/agent-sentences.txt', import.meta.url);
  return readFileSync(file, 'utf8').trim().split('\n');
}

let app: App;
let voiceId: string;

beforeAll(async () => {
  app = await startRealServer();
  voiceId = app.defaultVoice.voiceId;
});
afterAll(() => app.close());

async function get(path: string, key = REAL_KEY): Promise<unknown> {
  const response = await fetch(app.url + path, { headers: { 'xi-api-key': key } });
  return response.json();
}

describe('a first call', () => {
  it('speaks dates, times and money, streamed word by word, intelligibly in the phone band', async () => {
    for (const level of [0, 3]) {
      const client = await speakWords(
        app,
        voiceId,
        `output_format=ulaw_8000&optimize_streaming_latency=${level}&seed=7`,
        HEADLINE,
      );
      const heard = await hear(client.audio());
      expect(wordErrorRate(SPOKEN, heard), heard).toBeLessThanOrEqual(0.15);
    }
  });

  it('speaks at a level that a phone can carry', async () => {
    const client = await speakWords(app, voiceId, 'output_format=ulaw_8000', SHORT);
    const level = rmsDbfs(SAMPLE_CODECS.ulaw.decode(client.audio()));
    expect(level).toBeGreaterThan(-30);
    expect(level).toBeLessThan(-10);
  });

  it('repeats its bytes for a seed, and varies without one', async () => {
    const [once, again, free, freer] = await Promise.all(
      ['&seed=1', '&seed=1', '', ''].map(async (seed) =>
        (await speakWords(app, voiceId, `output_format=pcm_16000${seed}`, SHORT)).audio(),
      ),
    );
    expect(once?.equals(again ?? Buffer.alloc(0))).toBe(true);
    expect(free?.equals(freer ?? Buffer.alloc(0))).toBe(false);
  });

  it('speaks the same speech in every format', async () => {
    const formats = OUTPUT_FORMATS.filter(({ isStreamable }) => isStreamable);
    const spoken = new Map<string, number>();
    for (const format of formats) {
      const client = await speakWords(app, voiceId, `output_format=${format.name}&seed=3`, SHORT);
      spoken.set(format.name, playingTimeMs(format, client.audio()));
    }
    const expected = spoken.get('pcm_22050') ?? 0;
    for (const { name, codec, sampleRate } of formats) {
      // What mp3 adds: 1105 samples of delay, and up to two frames for the last samples to come out.
      const addedMs = codec === 'mp3' ? ((1105 + 2 * 1152) / sampleRate) * 1000 : 0;
      const playedMs = spoken.get(name) ?? 0;
      expect(playedMs, name).toBeGreaterThan(expected - 1);
      expect(playedMs, name).toBeLessThan(expected + addedMs + 1);
    }
  });

  it('times every character, to the length of the audio', async () => {
    const client = await speakWords(app, voiceId, 'output_format=pcm_24000', HEADLINE);
    const aligned = client.frames.flatMap(({ alignment }) => (alignment ? [alignment] : []));
    const sumMs = aligned
      .flatMap(({ charDurationsMs }) => charDurationsMs)
      .reduce((sum, duration) => sum + duration, 0);
    const audioMs = client.audio().length / 2 / 24;
    expect(Math.abs(sumMs - audioMs)).toBeLessThan(2 * aligned.length);
    expect(
      aligned
        .map(({ chars }) => chars.join(''))
        .join('')
        .trim(),
    ).toBe(HEADLINE);
  });

  it('speaks other languages with their own voices', async () => {
    const { voices } = (await get('/v1/voices')) as {
      voices: { voice_id: string; labels: { locale: string } }[];
    };
    const portuguese = voices.find(({ labels }) => labels.locale === 'pt-BR');
    const client = await speakWords(
      app,
      portuguese?.voice_id ?? '',
      'output_format=ulaw_8000',
      'Bom dia, como posso ajudar?',
    );
    const audio = SAMPLE_CODECS.ulaw.decode(client.audio());
    expect(audio.length / 8000).toBeGreaterThan(0.8);
    expect(rmsDbfs(audio)).toBeGreaterThan(-35);
  });

  it('lets eight callers speak at once, each his own words', async () => {
    const texts = agentSentences().slice(0, 8);
    const calls = await Promise.all(
      texts.map((text, seed) =>
        speakWords(
          app,
          voiceId,
          `output_format=ulaw_8000&optimize_streaming_latency=3&seed=${seed}`,
          text,
        ),
      ),
    );
    for (const [index, client] of calls.entries()) {
      const heard = await hear(client.audio());
      const errors = texts.map((text) => wordErrorRate(text, heard));
      expect(Math.min(...errors), `${texts[index]} → ${heard}`).toBe(errors[index]);
      expect(errors[index], `${texts[index]} → ${heard}`).toBeLessThanOrEqual(0.35);
    }
  });
});

describe('a call that goes wrong', () => {
  it.each([
    [
      'an unknown voice',
      'nobodyNobodyNobody00',
      'output_format=ulaw_8000',
      'Hello.',
      'voice_id_does_not_exist',
    ],
    ['a text of which nothing can be said', undefined, '', '𒀀𒀁 𒀂', 'unsupported_script'],
    ['an unknown format', undefined, 'output_format=mp3_9', 'Hello.', 'invalid_output_format'],
  ])('%s is told in-band and leaves others speaking', async (_what, id, query, text, code) => {
    const good = await openStream(app, voiceId, 'output_format=ulaw_8000');
    good.send({ text: 'This call goes on. ' });
    const bad = await openStream(app, id ?? voiceId, query);
    bad.send({ text, flush: true });
    expect((await bad.closed).code).toBe(1008);
    expect(bad.frames.at(-1)).toMatchObject({ error: code, message: expect.any(String) });
    good.send({ text: '' });
    expect(await good.closed).toMatchObject({ code: 1000 });
    expect(good.audio().length).toBeGreaterThan(4000);
  });

  it('stops working for a caller who hangs up', async () => {
    const client = await openStream(app, voiceId, 'output_format=ulaw_8000');
    client.send({ text: `${SHORT} `.repeat(40), flush: true });
    await client.until(({ audio }) => Boolean(audio));
    client.socket.terminate();
    await expect
      .poll(
        async () => ((await get('/health')) as { engine: { liveJobs: number } }).engine.liveJobs,
      )
      .toBe(0);
  });
});
