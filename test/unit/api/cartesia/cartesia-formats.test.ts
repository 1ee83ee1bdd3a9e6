import { describe, expect, it } from 'vitest';
import { containedOutput, rawOutput } from '../../../../src/api/cartesia/cartesia-formats.ts';

describe('output_format', () => {
  const rates = [8000, 16_000, 22_050, 24_000, 44_100, 48_000];
  it.each([
    ['pcm_s16le', 'pcm'],
    ['pcm_f32le', 'f32'],
    ['pcm_mulaw', 'ulaw'],
    ['pcm_alaw', 'alaw'],
  ])('%s has every rate of Cartesia’s', (encoding, codec) => {
    for (const sample_rate of rates) {
      const { name } = rawOutput({ container: 'raw', encoding, sample_rate });
      expect(name).toBe(`${codec}_${sample_rate}`);
    }
  });

  it('comes in a file where that is wanted', () => {
    const wav = containedOutput({ container: 'wav', encoding: 'pcm_f32le', sample_rate: 48_000 });
    expect(wav).toMatchObject({ isWav: true, contentType: 'audio/wav' });
    const mp3 = containedOutput({ container: 'mp3', sample_rate: 44_100, bit_rate: 64_000 });
    expect(mp3).toMatchObject({ format: { name: 'mp3_44100_64' }, contentType: 'audio/mpeg' });
  });

  it.each([
    [{ container: 'flac' }, /raw, wav, mp3/],
    [{ container: 'raw', encoding: 'opus' }, /pcm_s16le, pcm_f32le, pcm_mulaw, pcm_alaw/],
    [{ container: 'raw', sample_rate: 11_025 }, /8000, 16000, 22050/],
    [{ container: 'mp3', sample_rate: 8000 }, /44100/],
    [{ container: 'mp3', bit_rate: 5 }, /32000, 64000, 96000, 128000, 192000/],
  ])('%j is refused with what there is', (asked, message) => {
    expect(() => containedOutput(asked)).toThrow(message);
  });

  it('is raw on the websocket', () => {
    expect(() => rawOutput({ container: 'wav' })).toThrow(/must be one of raw/);
  });
});
