import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type App, startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { StreamClient } from './stream-client.ts';

export const REAL_KEY = 'integration-test-key';
const PROJECT = new URL('../..', import.meta.url).pathname;

/** The whole server with real voices, in this process, on a free port; its state goes with it. */
export async function startRealServer(
  environment: Record<string, string> = {},
  logger?: Logger,
): Promise<App> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sidetone-server-'));
  const app = await startApp(
    readConfig({
      PORT: '0',
      SIDETONE_API_KEY: REAL_KEY,
      SIDETONE_DATA_DIR: dataDir,
      SIDETONE_MODELS_DIR: join(PROJECT, 'models'),
      // A call that a test leaves behind must not keep the server for minutes.
      SIDETONE_DRAIN_CALLS_S: '0',
      SIDETONE_KOKORO: 'off',
      // Tests share the machine with each other; those about overload switch it on.
      SIDETONE_REFUSE_WHEN_LATE: 'false',
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
      ...environment,
    }),
    logger,
  );
  const close = async () => {
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { ...app, close, [Symbol.asyncDispose]: close };
}

export async function openStream(app: App, voiceId: string, query: string): Promise<StreamClient> {
  const origin = app.url.replace('http', 'ws');
  const client = new StreamClient(`${origin}/v1/text-to-speech/${voiceId}/stream-input?${query}`, {
    'xi-api-key': REAL_KEY,
  });
  await client.opened();
  return client;
}

/** Streams a text word by word, as a language model writes it, and waits for the end. */
export async function speakWords(
  app: App,
  voiceId: string,
  query: string,
  text: string,
): Promise<StreamClient> {
  const client = await openStream(app, voiceId, query);
  client.send({ text: ' ', voice_settings: { stability: 0.5, similarity_boost: 0.75 } });
  for (const word of text.split(/(?<= )/)) client.send({ text: word });
  client.send({ text: '' });
  const { code, reason } = await client.closed;
  if (code !== 1000) throw new Error(`The stream closed with ${code}: ${reason}`);
  return client;
}
