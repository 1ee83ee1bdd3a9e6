import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { SAMPLE_CODECS } from '../../src/synthesis/audio/codec.ts';
import { readWav } from '../../src/synthesis/audio/wav.ts';
import { BotClient } from '../support/bot-client.ts';
import { hear } from '../support/hear.ts';
import { REAL_KEY, startRealServer } from '../support/real-server.ts';
import { wordErrorRate } from '../support/word-errors.ts';
import { Asterisk } from './asterisk.ts';
import { openAsteriskRoot } from './asterisk-root.ts';
import { callBySip } from './sip-phone.ts';

const LINE = 'desk';
const BOT_SAYS =
  'Thank you for calling. Your order has left our warehouse, and will arrive on Thursday morning.';
const CALLER_SAYS = 'Hello, I would like to know where my parcel is.';
const MAX_WORD_ERRORS = 0.2;
const CALL_SECONDS = 14;

const debian = openAsteriskRoot();
const root = 'folder' in debian ? debian.folder : '';
if ('missing' in debian) console.warn(`Skipped, for there is no Asterisk: ${debian.missing}.`);

describe.skipIf(root === '')('a SIP call through a real Asterisk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidetone-asterisk-'));
  let app: App;
  let asterisk: Asterisk;
  let sipPort: number;

  beforeAll(async () => {
    const lines = join(folder, 'lines.yaml');
    writeFileSync(lines, `lines:\n  - id: ${LINE}\n    bot: { attach: {} }\n`);
    const audioSocketPort = await freePort();
    app = await startRealServer({
      SIDETONE_LINES: lines,
      SIDETONE_AUDIOSOCKET_PORT: String(audioSocketPort),
    });
    sipPort = await freePort();
    asterisk = await Asterisk.start(root, {
      sipPort,
      httpPort: Number(new URL(app.url).port),
      audioSocketPort,
      line: LINE,
      apiKey: REAL_KEY,
    });
  });
  afterAll(async () => {
    await asterisk?.[Symbol.asyncDispose]();
    await app?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['websocket', 'audiosocket'])('over %s is heard at both ends', async (extension) => {
    const says = await speech(app, CALLER_SAYS);
    const phonePort = await freePort();
    const [atTheBot, atThePhone] = await Promise.all([
      answerNextCall(app),
      callBySip(root, {
        address: `sip:${extension}@127.0.0.1:${sipPort}`,
        sipPort: phonePort,
        says,
        seconds: CALL_SECONDS,
      }),
    ]);
    const heardByCaller = await hear(SAMPLE_CODECS.ulaw.encode(atThePhone));
    expect(wordErrorRate(BOT_SAYS, heardByCaller), heardByCaller).toBeLessThan(MAX_WORD_ERRORS);
    const heardByBot = await hear(atTheBot);
    expect(wordErrorRate(CALLER_SAYS, heardByBot), heardByBot).toBeLessThan(MAX_WORD_ERRORS);
  });
});

/** Waits for a call, says its sentence, and returns the mu-law that came from the caller. */
async function answerNextCall(app: App): Promise<Uint8Array> {
  const origin = `${app.url.replace('http', 'ws')}/v1/calls`;
  const headers = { 'xi-api-key': REAL_KEY };
  const lobby = new BotClient(origin, headers);
  const { call_id: callId } = await lobby.next('call_waiting');
  lobby.socket.close();
  const bot = new BotClient(`${origin}/${String(callId)}`, headers);
  await bot.next('call_start');
  bot.send({ type: 'listen', format: 'ulaw_8000' });
  bot.send({ text: BOT_SAYS, context_id: 'greeting', flush: true });
  bot.send({ context_id: 'greeting', close_context: true });
  await bot.next('context_end');
  await bot.closed;
  const audio = bot.events.filter(({ type }) => type === 'audio');
  return Buffer.concat(audio.map((event) => Buffer.from(String(event['audio']), 'base64')));
}

/** What a caller says, at 8 kHz. */
async function speech(app: App, text: string): Promise<Float32Array> {
  const { voiceId } = app.defaultVoice;
  const response = await fetch(
    `${app.url}/v1/text-to-speech/${voiceId}?output_format=wav_8000&enable_logging=false`,
    {
      method: 'POST',
      headers: { 'xi-api-key': REAL_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    },
  );
  return readWav(new Uint8Array(await response.arrayBuffer())).samples;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
