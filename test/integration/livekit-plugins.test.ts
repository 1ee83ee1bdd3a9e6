import { initializeLogger, type tts } from '@livekit/agents';
import { TTS as CartesiaTts } from '@livekit/agents-plugin-cartesia';
import { TTS as DeepgramTts } from '@livekit/agents-plugin-deepgram';
import { TTS as OpenAiTts } from '@livekit/agents-plugin-openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { pcm16 } from '../../src/synthesis/audio/codecs/pcm16.ts';
import { rmsDbfs } from '../support/audio-measures.ts';
import { REAL_KEY, startRealServer } from '../support/real-server.ts';

const TEXT = 'Your table is booked for seven in the evening. Is there anything else?';
const RATE = 24_000;

let app: App;

beforeAll(async () => {
  initializeLogger({ pretty: false, level: 'silent' });
  app = await startRealServer({ SIDETONE_WORKERS: '1' });
});
afterAll(() => app.close());

/** What a stream of a plugin's plays, in the order of its frames. */
async function heard(stream: AsyncIterable<unknown>): Promise<Float32Array> {
  const pieces: Buffer[] = [];
  for await (const spoken of stream) {
    if (typeof spoken === 'symbol') break;
    const { frame } = spoken as tts.SynthesizedAudio;
    expect(frame.sampleRate).toBe(RATE);
    pieces.push(Buffer.from(new Uint8Array(frame.data.slice().buffer)));
  }
  return pcm16.decode(Buffer.concat(pieces));
}

/** Says the text word by word, as a language model writes it. */
async function streamed(speech: tts.TTS): Promise<Float32Array> {
  const stream = speech.stream();
  for (const word of TEXT.split(/(?<= )/)) stream.pushText(word);
  stream.flush();
  stream.endInput();
  try {
    return await heard(stream);
  } finally {
    stream.close();
  }
}

function expectSpeech(samples: Float32Array): void {
  const seconds = samples.length / RATE;
  expect(seconds).toBeGreaterThan(2);
  expect(seconds).toBeLessThan(10);
  expect(rmsDbfs(samples)).toBeGreaterThan(-35);
  expect(rmsDbfs(samples)).toBeLessThan(-8);
}

describe('a LiveKit plugin, told another address and nothing else', () => {
  it('for OpenAI speaks', async () => {
    const speech = new OpenAiTts({ apiKey: REAL_KEY, baseURL: `${app.url}/v1` });
    expectSpeech(await heard(speech.synthesize(TEXT)));
    await speech.close();
  });

  it('for Deepgram speaks', async () => {
    const speech = new DeepgramTts({ apiKey: REAL_KEY, baseUrl: app.url });
    expectSpeech(await streamed(speech));
    await speech.close();
  });

  it('for Cartesia speaks, turn after turn', async () => {
    const speech = new CartesiaTts({ apiKey: REAL_KEY, baseUrl: app.url });
    for (let turn = 0; turn < 2; turn++) expectSpeech(await streamed(speech));
    await speech.close();
  });
});
