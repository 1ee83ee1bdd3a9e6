import { describe, expect, it } from 'vitest';
import {
  type AskedAudio,
  containedAudio,
  rawFormat,
} from '../../../../src/api/deepgram/deepgram-formats.ts';

describe('the audio of a websocket', () => {
  it.each([
    [{}, 'pcm_24000'],
    [{ encoding: 'linear16', sampleRate: 8000 }, 'pcm_8000'],
    [{ encoding: 'linear16', sampleRate: 48_000 }, 'pcm_48000'],
    [{ encoding: 'mulaw' }, 'ulaw_8000'],
    [{ encoding: 'mulaw', sampleRate: 16_000 }, 'ulaw_16000'],
    [{ encoding: 'alaw', sampleRate: 8000 }, 'alaw_8000'],
  ] as ReadonlyArray<[AskedAudio, string]>)('asked for by %j is %s', (asked, name) => {
    expect(rawFormat(asked).name).toBe(name);
  });

  it.each([
    [{ encoding: 'mp3' }, /encoding must be one of linear16, mulaw, alaw, not mp3/],
    [{ encoding: '__proto__' }, /encoding must be one of/],
    [{ sampleRate: 11_025 }, /sample_rate of linear16 must be one of 8000, .*48000, not 11025/],
    [{ encoding: 'mulaw', sampleRate: 24_000 }, /one of 8000, 16000, not 24000/],
  ] as ReadonlyArray<[AskedAudio, RegExp]>)('asked for by %j is refused', (asked, message) => {
    expect(() => rawFormat(asked)).toThrow(message);
  });
});

describe('the audio of a reply', () => {
  it.each([
    [{}, 'mp3_22050_48', false, 'audio/mpeg'],
    [{ encoding: 'mp3', bitRate: 32_000 }, 'mp3_22050_32', false, 'audio/mpeg'],
    [{ encoding: 'linear16' }, 'pcm_24000', true, 'audio/wav'],
    [
      { encoding: 'linear16', container: 'none', sampleRate: 16_000 },
      'pcm_16000',
      false,
      'audio/l16;rate=16000;channels=1',
    ],
    [{ encoding: 'mulaw', container: 'wav' }, 'ulaw_8000', true, 'audio/wav'],
    [
      { encoding: 'alaw', container: 'none' },
      'alaw_8000',
      false,
      'audio/alaw;rate=8000;channels=1',
    ],
    [{ encoding: 'opus' }, 'opus_48000_32', false, 'audio/ogg;codecs=opus'],
    [
      { encoding: 'opus', container: 'ogg', bitRate: 70_000 },
      'opus_48000_96',
      false,
      'audio/ogg;codecs=opus',
    ],
    [{ encoding: 'opus', bitRate: 650_000 }, 'opus_48000_192', false, 'audio/ogg;codecs=opus'],
  ] as ReadonlyArray<[AskedAudio, string, boolean, string]>)(
    'asked for by %j is %s',
    (asked, name, isWav, contentType) => {
      const audio = containedAudio(asked);
      expect(audio.format.name).toBe(name);
      expect(audio).toMatchObject({ isWav, contentType });
    },
  );

  it.each([
    [{ encoding: 'flac' }, /encoding must be one of linear16, mulaw, alaw, mp3, opus, not flac/],
    [{ encoding: 'mp3', sampleRate: 44_100 }, /sample_rate of mp3 must be one of 22050/],
    [{ encoding: 'mp3', bitRate: 1 }, /bit_rate of mp3 must be one of 32000, 48000/],
    [{ encoding: 'mp3', container: 'wav' }, /container of mp3/],
    [{ encoding: 'linear16', container: 'ogg' }, /container of linear16 must be one of wav, none/],
    [{ encoding: 'opus', container: 'none' }, /container of opus must be one of ogg/],
    [{ encoding: 'opus', sampleRate: 8000 }, /sample_rate of opus must be one of 48000/],
  ] as ReadonlyArray<[AskedAudio, RegExp]>)('asked for by %j is refused', (asked, message) => {
    expect(() => containedAudio(asked)).toThrow(message);
  });
});
