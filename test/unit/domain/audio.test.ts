import { describe, expect, it } from 'vitest';
import {
  FURTHER_FORMATS,
  formatOfName,
  OUTPUT_FORMATS,
  parseOutputFormat,
  parseStreamFormat,
} from '../../../src/domain/audio.ts';
import { SpeechError } from '../../../src/domain/errors.ts';

describe('OUTPUT_FORMATS', () => {
  it('are those of the wire protocol, without the one for which there is no encoder', () => {
    const rates = [8000, 16000, 22050, 24000, 32000, 44100, 48000];
    const kilobits = [32, 64, 96, 128, 192];
    expect(OUTPUT_FORMATS.map(({ name }) => name).toSorted()).toEqual(
      [
        'mp3_22050_32',
        'mp3_24000_48',
        ...kilobits.map((rate) => `mp3_44100_${rate}`),
        ...kilobits.map((rate) => `opus_48000_${rate}`),
        ...rates.map((rate) => `pcm_${rate}`),
        ...rates.map((rate) => `wav_${rate}`),
        'ulaw_8000',
        'alaw_8000',
      ].toSorted(),
    );
  });

  it.each([
    ['mp3_22050_32', 'mp3', 22050, 32_000, 'audio/mpeg', true, 'free'],
    ['mp3_44100_128', 'mp3', 44100, 128_000, 'audio/mpeg', true, 'free'],
    ['mp3_44100_192', 'mp3', 44100, 192_000, 'audio/mpeg', true, 'creator'],
    ['opus_48000_32', 'opus', 48000, 32_000, 'audio/opus', true, 'free'],
    ['opus_48000_192', 'opus', 48000, 192_000, 'audio/opus', true, 'free'],
    ['pcm_24000', 'pcm', 24000, 384_000, 'audio/pcm', true, 'free'],
    ['pcm_44100', 'pcm', 44100, 705_600, 'audio/pcm', true, 'pro'],
    ['wav_24000', 'pcm', 24000, 384_000, 'audio/wav', false, 'free'],
    ['wav_44100', 'pcm', 44100, 705_600, 'audio/wav', false, 'pro'],
    ['ulaw_8000', 'ulaw', 8000, 64_000, 'audio/ulaw', true, 'free'],
    ['alaw_8000', 'alaw', 8000, 64_000, 'audio/alaw', true, 'free'],
  ])('describe %s', (...row) => {
    const [name, codec, sampleRate, bitsPerSecond, contentType, isStreamable, minimumTier] = row;
    expect(parseOutputFormat(name)).toEqual({
      name,
      codec,
      sampleRate,
      bitsPerSecond,
      contentType,
      isStreamable,
      minimumTier,
    });
  });
});

describe('parseOutputFormat', () => {
  it.each(['', 'mp3', 'mp3_44100_129', 'MP3_44100_128', '__proto__', 'm4a_aac_44100_128'])(
    'refuses "%s" and lists what there is',
    (name) => {
      expect(() => parseOutputFormat(name)).toThrow(SpeechError);
      expect(() => parseOutputFormat(name)).toThrow(/mp3_44100_128.*wav_8000.*alaw_8000/);
    },
  );
});

describe('formatOfName', () => {
  it('knows what the wires of others ask for, which the first one does not offer', () => {
    for (const format of [...OUTPUT_FORMATS, ...FURTHER_FORMATS]) {
      expect(formatOfName(format.name)).toBe(format);
    }
    for (const { name } of FURTHER_FORMATS) expect(() => parseOutputFormat(name)).toThrow(name);
    expect(() => formatOfName('ulaw_11025')).toThrow(SpeechError);
  });
});

describe('parseStreamFormat', () => {
  it('knows every format that needs no length beforehand', () => {
    for (const format of OUTPUT_FORMATS.filter(({ isStreamable }) => isStreamable)) {
      expect(parseStreamFormat(format.name)).toBe(format);
    }
  });

  it('refuses WAV, and does not offer it', () => {
    expect(() => parseStreamFormat('wav_24000')).toThrow(SpeechError);
    expect(() => parseStreamFormat('wav_24000')).not.toThrow(/ wav_/);
  });
});
