import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { logOptions } from '../../src/api/http/log-options.ts';
import type { App } from '../../src/app.ts';
import { REAL_KEY, startRealServer } from '../support/real-server.ts';
import { StreamClient } from '../support/stream-client.ts';
import { CALLS } from './sdk-calls.ts';
import { Scene } from './sdk-scene.ts';

const TEXT = 'Marmalade from Zanzibar.';
const WRONG_KEY = 'wrong-key-of-somebody';
/** Keys, tokens and the secrets of webhooks, as replies show them once. */
const SECRETS = /\b(?:sk|sutkn|wsec|whsec)_[0-9A-Za-z+/=]{16,}/g;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Everything secret that a reply to `fetch` shows from now on. */
function watchReplies(): ReadonlySet<string> {
  const secrets = new Set<string>();
  const original = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    const response = await original(...request);
    if (response.headers.get('content-type')?.includes('application/json')) {
      const text = await response.clone().text();
      for (const [secret] of text.matchAll(SECRETS)) secrets.add(secret);
      const webhook = /"webhook_secret":"([^"]+)"/.exec(text)?.[1];
      if (webhook !== undefined) secrets.add(webhook);
    }
    return response;
  });
  return secrets;
}

/** A websocket that says one sentence, with its key wherever one may stand. */
async function speak(app: App, query: string, headers: object, frame: object): Promise<void> {
  const path = `/v1/text-to-speech/${app.defaultVoice.voiceId}/stream-input?${query}`;
  const client = new StreamClient(app.url.replace('http', 'ws') + path, { ...headers });
  await client.opened();
  client.send({ text: ' ', ...frame });
  client.send({ text: TEXT });
  client.send({ text: '' });
  await client.closed;
}

it('no key, no token and no text is in the log, at any level', { timeout: 300_000 }, async () => {
  const lines: string[] = [];
  const log = pino(logOptions('trace'), { write: (line: string) => void lines.push(line) });
  const secrets = watchReplies();
  await using app = await startRealServer(
    { SIDETONE_WEBHOOK_ALLOW: '127.0.0.1', SIDETONE_WEBHOOK_ALLOW_HTTP: 'true' },
    log,
  );
  for (const drive of Object.values(CALLS)) await drive(new Scene(app));
  const scene = new Scene(app);
  await scene.client.textToSpeech.convert(scene.voiceId, { text: TEXT });
  const { token } = await scene.client.tokens.singleUse.create('tts_websocket');
  await speak(app, '', { 'xi-api-key': REAL_KEY }, {});
  await speak(app, `xi-api-key=${REAL_KEY}`, {}, {});
  await speak(app, `authorization=Bearer%20${WRONG_KEY}`, {}, {});
  await speak(app, `single_use_token=${token}`, {}, {});
  await speak(app, '', {}, { xi_api_key: REAL_KEY });
  await speak(app, '', {}, { authorization: `Bearer ${WRONG_KEY}` });
  await speak(app, '', { authorization: `Bearer ${REAL_KEY}` }, { voice_settings: TEXT });
  for (const query of [`api_key=${REAL_KEY}`, `api_key=${WRONG_KEY}&token=${WRONG_KEY}`]) {
    await fetch(`${app.url}/v1/lines/default/twilio/call?${query}`, { method: 'POST' });
  }
  await fetch(`${app.url}/v1/voices?xi-api-key=${WRONG_KEY}`, {
    headers: { 'xi-api-key': WRONG_KEY },
  });
  await app.close();
  expect(lines.length).toBeGreaterThan(100);
  expect(secrets.size).toBeGreaterThan(5);
  const told = lines.filter((line) =>
    [...secrets, REAL_KEY, WRONG_KEY, TEXT, 'Zanzibar', 'Aoife'].some((one) => line.includes(one)),
  );
  expect(told).toEqual([]);
});
