import { expect, it } from 'vitest';
import { hear } from '../support/hear.ts';
import { REAL_KEY, speakWords, startRealServer } from '../support/real-server.ts';
import { wordErrorRate } from '../support/word-errors.ts';

interface VoiceReply {
  readonly voice_id: string;
  readonly name: string;
  readonly availability: string;
  readonly licence: string;
  readonly labels: { readonly locale: string };
}

it('speaks with Kokoro once it has arrived, and says when that is', async () => {
  await using app = await startRealServer({ SIDETONE_KOKORO: 'present' });
  const get = async (path: string) => {
    const response = await fetch(app.url + path, { headers: { 'xi-api-key': REAL_KEY } });
    return response.json();
  };
  const voices = async () => ((await get('/v1/voices')) as { voices: VoiceReply[] }).voices;
  const heart = async () => (await voices()).find(({ name }) => name === 'Heart');
  expect(await heart()).toMatchObject({ licence: 'Apache-2.0', labels: { locale: 'en-US' } });
  const state = async () =>
    ((await get('/health')) as { engine: { kokoro: { state: string } } }).engine.kokoro.state;
  while ((await state()) !== 'ready') await new Promise((resolve) => setTimeout(resolve, 100));
  const voice = await heart();
  expect(voice?.availability).toBe('ready');
  const locales = new Set((await voices()).map(({ labels }) => labels.locale));
  for (const locale of ['en-GB', 'es-ES', 'fr-FR', 'hi-IN', 'it-IT', 'pt-BR']) {
    expect(locales).toContain(locale);
  }
  const said = 'Your order has arrived, and you can pick it up tomorrow.';
  const query = 'output_format=ulaw_8000&optimize_streaming_latency=3';
  const client = await speakWords(app, voice?.voice_id ?? '', query, said);
  expect(wordErrorRate(said, await hear(client.audio()))).toBeLessThan(0.1);
}, 120_000);

it('leaves Kokoro out where it is not wanted', async () => {
  await using app = await startRealServer({ SIDETONE_KOKORO: 'off' });
  const response = await fetch(`${app.url}/v1/voices`, { headers: { 'xi-api-key': REAL_KEY } });
  const { voices } = (await response.json()) as { voices: VoiceReply[] };
  expect(voices.some(({ name }) => name === 'Heart')).toBe(false);
  const health = (await (await fetch(`${app.url}/health`)).json()) as { engine: object };
  expect(health.engine).not.toHaveProperty('kokoro');
});
