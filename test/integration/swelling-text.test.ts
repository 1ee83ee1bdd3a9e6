import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { openStream, REAL_KEY, startRealServer } from '../support/real-server.ts';

const MEBIBYTE = 1024 * 1024;
/** Without a bound, one such text took the process more than a gigabyte. */
const MAX_GROWTH_BYTES = 150 * MEBIBYTE;
/** The text stage alone took so many signs over ten seconds on an idle machine. */
const MAX_WAIT_MS = 8_000;
/** More than the first piece of a swelling text. */
const SPOKEN_MS = 15_000;
const SIGNS = '%'.repeat(400);
const ULAW_BYTES_PER_MS = 8;
const CALL_TEXT = 'Thank you for calling, and please hold the line while I look that up for you. ';

let app: App;
let voiceId: string;

beforeAll(async () => {
  app = await startRealServer();
  voiceId = app.defaultVoice.voiceId;
});
// The server waits for connections that a client broke off while it was read to.
afterAll(() => app.close(), 120_000);

function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(app.url + path, {
    method: 'POST',
    headers: { 'xi-api-key': REAL_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

const speech = () => `/v1/text-to-speech/${voiceId}/stream?output_format=ulaw_8000`;

/** Reads so much audio of a reply, and then hangs up. @returns what it has read. */
async function readMs(body: unknown, wantedMs: number): Promise<number> {
  const left = new AbortController();
  const response = await post(speech(), body, left.signal);
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += (part as Uint8Array).length;
    if (bytes >= wantedMs * ULAW_BYTES_PER_MS) break;
  }
  left.abort();
  return bytes / ULAW_BYTES_PER_MS;
}

/** How long a caller waits for their first audio, and what they hear in all. */
async function call(): Promise<{ readonly firstMs: number; readonly audioMs: number }> {
  const startMs = performance.now();
  const client = await openStream(app, voiceId, 'output_format=ulaw_8000');
  client.send({ text: CALL_TEXT, flush: true }, { text: '' });
  await client.until(({ audio }) => typeof audio === 'string');
  const firstMs = performance.now() - startMs;
  const { code, reason } = await client.closed;
  if (code !== 1000) throw new Error(`The stream closed with ${code}: ${reason}`);
  const bytes = client.frames.map(({ audio }) => Buffer.from(audio ?? '', 'base64').length);
  return { firstMs, audioMs: bytes.reduce((sum, one) => sum + one, 0) / ULAW_BYTES_PER_MS };
}

/** A dictionary by which three letters become minutes of speech. */
async function swellingDictionary() {
  const alias = 'seventy seven '.repeat(35).trim();
  const rules = ['aa', 'bb', 'cc'].map((string_to_replace) => ({
    ...{ type: 'alias', string_to_replace, alias },
  }));
  const response = await post('/v1/pronunciation-dictionaries/add-from-rules', {
    name: 'swelling',
    rules,
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  const { id, version_id } = (await response.json()) as { id: string; version_id: string };
  return [{ pronunciation_dictionary_id: id, version_id }];
}

async function usedCharacters(): Promise<number> {
  const response = await fetch(`${app.url}/v1/user/subscription`, {
    headers: { 'xi-api-key': REAL_KEY },
  });
  return ((await response.json()) as { character_count: number }).character_count;
}

describe('text that swells when it is spoken', () => {
  it('takes no memory that ordinary text does not, and holds nobody up', async () => {
    await call();
    const before = process.memoryUsage().rss;
    const attack = [1, 2].map(() => readMs({ text: SIGNS }, SPOKEN_MS));
    const [other, ...heard] = await Promise.all([call(), ...attack]);
    expect(process.memoryUsage().rss - before).toBeLessThan(MAX_GROWTH_BYTES);
    expect(other.firstMs).toBeLessThan(MAX_WAIT_MS);
    expect(other.audioMs).toBeGreaterThan(3000);
    for (const audioMs of heard) expect(audioMs).toBeGreaterThanOrEqual(SPOKEN_MS);
  });

  it('is paid for where a dictionary makes minutes of a few characters', async () => {
    const pronunciation_dictionary_locators = await swellingDictionary();
    const text = 'aa, bb, cc, and aa.';
    const usedBefore = await usedCharacters();
    const before = process.memoryUsage().rss;
    const attack = readMs({ text, pronunciation_dictionary_locators }, SPOKEN_MS);
    const [other] = await Promise.all([call(), attack]);
    expect(other.firstMs).toBeLessThan(MAX_WAIT_MS);
    expect(process.memoryUsage().rss - before).toBeLessThan(MAX_GROWTH_BYTES);
    await expect
      .poll(async () => (await usedCharacters()) - usedBefore - CALL_TEXT.length, {
        timeout: 10_000,
      })
      .toBeGreaterThan(500);
  });
});
