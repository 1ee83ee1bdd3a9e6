import { describe, expect, it } from 'vitest';
import { namedVoice, readOpenAiRequest } from '../../../../src/api/openai/speech-request.ts';
import type { WireOpenAiSpeech } from '../../../../src/api/openai/speech-schema.ts';
import type { SpeechError } from '../../../../src/domain/errors.ts';

function read(body: Partial<WireOpenAiSpeech>) {
  return readOpenAiRequest({ input: 'Hello.', ...body }, () => undefined);
}

describe('a request of a client of OpenAI', () => {
  it('is spoken by defaults of our own', () => {
    const { model, format, latencyLevel, isKept, voiceSettings } = read({});
    expect([model.modelId, format.name]).toEqual(['svc_monolingual_v1', 'mp3_44100_128']);
    expect([latencyLevel, isKept, voiceSettings]).toEqual([0, true, {}]);
  });

  it.each([
    ['tts-1', 'svc_turbo_v1'],
    ['tts-1-hd', 'svc_multilingual_v1'],
    ['gpt-4o-mini-tts', 'svc_turbo_v1'],
    ['svc_turbo_v1', 'svc_turbo_v1'],
  ])('names the model %s', (model, modelId) => {
    expect(read({ model }).model.modelId).toBe(modelId);
  });

  it.each([
    ['mp3', 'mp3_44100_128'],
    ['opus', 'opus_48000_64'],
    ['flac', 'flac_24000'],
    ['wav', 'wav_24000'],
    ['pcm', 'pcm_24000'],
    ['alaw_8000', 'alaw_8000'],
    ['', 'mp3_44100_128'],
    [null, 'mp3_44100_128'],
  ])('names the format %s', (response_format, name) => {
    expect(read({ response_format }).format.name).toBe(name);
  });

  it.each(['aac', 'AAC', 'ogg', '__proto__'])('is refused the format %s', (response_format) => {
    const refusal = expect.objectContaining<Partial<SpeechError>>({
      code: 'invalid_output_format',
      message: expect.stringContaining('Use one of: mp3, opus, flac, wav, pcm.'),
    });
    expect(() => read({ response_format })).toThrow(refusal);
  });

  it.each([
    [0.25, 0.25],
    [1, 1],
    [2.5, 2.5],
    [4, 2.5],
  ])('at speed %f is spoken at %f', (speed, spoken) => {
    expect(read({ speed }).voiceSettings).toEqual({ speed: spoken });
  });

  it('names its voice by text, or by an object', () => {
    const names = ['nova', { id: 'nova' }, '', null, undefined].map((voice) =>
      namedVoice(voice === undefined ? { input: 'Hi.' } : { input: 'Hi.', voice }),
    );
    expect(names).toEqual(['nova', 'nova', undefined, undefined, undefined]);
  });
});
