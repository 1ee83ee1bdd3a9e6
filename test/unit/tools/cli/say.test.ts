import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWav } from '../../../../src/synthesis/audio/wav.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';
import { ADA, CONFIGURED_SECRET } from '../../api/resources/api-harness.ts';
import { PCM, run, speakPcm, startServer } from './cli-harness.ts';

describe('sidetone say', () => {
  it('sends a blank, the words one by one, and a goodbye, to the first voice', async () => {
    const { url, requests } = await startServer();
    const file = join(temporaryDir(), 'out.pcm');
    expect(await run(['say', ' It  costs $5. ', '-o', file, '--url', url])).toMatchObject({
      code: 0,
    });
    const [request] = requests;
    expect(request?.url.pathname).toBe(`/v1/text-to-speech/${ADA}/stream-input`);
    expect(request?.url.search).toBe('?output_format=pcm_22050&optimize_streaming_latency=3');
    expect(request?.key).toBe(CONFIGURED_SECRET);
    expect(request?.frames).toEqual([
      { text: ' ' },
      { text: 'It ' },
      { text: 'costs ' },
      { text: '$5. ' },
      { text: '' },
    ]);
    expect(readFileSync(file).equals(PCM)).toBe(true);
  });

  it('hands every option on', async () => {
    const { url, requests } = await startServer();
    const flags = [
      '--format',
      'ulaw_8000',
      '--model',
      'svc_turbo_v1',
      '--level',
      '1',
      '--seed',
      '7',
    ];
    const settings = [
      '--stability',
      '0.2',
      '--similarity',
      '0.9',
      '--style',
      '1',
      '--speed',
      '1.1',
    ];
    const file = join(temporaryDir(), 'out');
    const voice = ['--voice', 'faBER', '--key', CONFIGURED_SECRET];
    await run(['say', 'Hi', '-o', file, ...flags, ...settings, ...voice, '--url', `${url}/`], {
      SIDETONE_API_KEY: 'another-key',
    });
    const [request] = requests;
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual({
      output_format: 'ulaw_8000',
      model_id: 'svc_turbo_v1',
      optimize_streaming_latency: '1',
      seed: '7',
    });
    expect(request?.url.pathname).not.toContain(ADA);
    expect(request?.key).toBe(CONFIGURED_SECRET);
    expect(request?.frames[0]).toEqual({
      text: ' ',
      voice_settings: { stability: 0.2, similarity_boost: 0.9, style: 1, speed: 1.1 },
    });
  });

  it('says on stderr where the audio is, how long it is, how soon it came and how fast', async () => {
    const { url } = await startServer();
    const file = join(temporaryDir(), 'out.wav');
    const { err, out } = await run(['say', 'Hi', '-o', file], { SIDETONE_URL: url });
    expect(err).toMatch(
      /out\.wav: 0\.10 s of pcm_22050, first audio after \d+ ms, all of it after \d+ ms: \d+\.\d times as fast as it plays\.\n$/,
    );
    expect(out).toBe('');
  });
});

describe('the output of sidetone say', () => {
  it('is a WAV file when its name says so', async () => {
    const { url } = await startServer();
    const file = join(temporaryDir(), 'out.wav');
    await run(['say', 'Hi', '-o', file, '--url', url]);
    const wav = readWav(readFileSync(file));
    expect(wav.sampleRate).toBe(22_050);
    expect(wav.samples.length).toBe(PCM.length / 2);
  });

  it('is mu-law when its name says so', async () => {
    const { url, requests } = await startServer();
    await run(['say', 'Hi', '-o', join(temporaryDir(), 'call.ulaw'), '--url', url]);
    expect(requests[0]?.url.searchParams.get('output_format')).toBe('ulaw_8000');
  });

  it('goes to stdout raw, or with a header for --format wav', async () => {
    const { url } = await startServer();
    const raw = await run(['say', 'Hi', '-o', '-', '--format', 'pcm_16000', '--url', url]);
    expect(raw.stdout.equals(PCM)).toBe(true);
    const wav = await run(['say', 'Hi', '-o', '-', '--format', 'wav', '--url', url]);
    expect(wav.stdout.subarray(0, 4).toString()).toBe('RIFF');
    expect(wav.stdout.subarray(44).equals(PCM)).toBe(true);
  });

  it('that cannot be written is reported', async () => {
    const { url } = await startServer();
    const { code, err } = await run(['say', 'Hi', '-o', '/nowhere/at/all.wav', '--url', url]);
    expect(code).toBe(1);
    expect(err).toMatch(/^sidetone: Cannot write \/nowhere\/at\/all\.wav: .*\n$/);
  });
});

describe('when speech fails, sidetone say', () => {
  it("repeats the server's words, and says where a key goes when none was given", async () => {
    const refusal = {
      message: 'An API key is needed.',
      error: 'authentication_required',
      code: 1008,
    };
    const { url } = await startServer((_frame, socket) => {
      socket.send(JSON.stringify(refusal));
      socket.close(1008, refusal.message);
    });
    const { code, err } = await run(['say', 'Hi', '--url', url], { SIDETONE_API_KEY: undefined });
    expect(code).toBe(1);
    expect(err).toBe('sidetone: An API key is needed. (Here: with --key or SIDETONE_API_KEY.)\n');
  });

  it('reports a stream that ended early', async () => {
    const { url } = await startServer((_frame, socket) => socket.close(1011, 'worker died'));
    const { code, err } = await run(['say', 'Hi', '--url', url]);
    expect(code).toBe(1);
    expect(err).toContain('closed the stream (1011). worker died');
  });

  it('reports a stream without audio', async () => {
    const { url } = await startServer((_frame, socket) => socket.close(1000));
    expect(await run(['say', 'Hi', '--url', url])).toMatchObject({
      code: 1,
      err: 'sidetone: The server sent no audio.\n',
    });
  });

  it('reports garbage instead of crashing', async () => {
    const { url } = await startServer((frame, socket) => {
      if (frame['text'] === '') socket.send('<html>');
    });
    const { code, err } = await run(['say', 'Hi', '--url', url]);
    expect(code).toBe(1);
    expect(err).toContain('does not speak as Sidetone does');
  });

  it('lists the voices when there is none of that name', async () => {
    const { url } = await startServer(speakPcm);
    const { code, err } = await run(['say', 'Hi', '--voice', 'Nobody', '--url', url]);
    expect(code).toBe(1);
    expect(err).toContain('There is no voice called "Nobody". There are: Ada, Faber.');
  });
});
