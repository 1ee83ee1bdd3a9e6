import { beforeAll, describe, expect, it } from 'vitest';
import { OUTPUT_FORMATS, parseOutputFormat } from '../../../../src/domain/audio.ts';
import {
  playingTimeMs,
  prepareCodecs,
  SAMPLE_CODECS,
  sampleCodecOf,
} from '../../../../src/synthesis/audio/codec.ts';
import { openEncoder } from '../../../../src/synthesis/audio/encoder.ts';
import { sine, spectrumPeak } from '../../../support/audio-measures.ts';

const INPUT_RATES = [16000, 22050, 24000];
const SAMPLE_FORMATS = OUTPUT_FORMATS.filter(({ codec }) => codec in SAMPLE_CODECS);
const CASES = SAMPLE_FORMATS.flatMap((format) =>
  INPUT_RATES.map((inputRate) => ({ format, inputRate, name: format.name })),
);

beforeAll(prepareCodecs);

describe.each(CASES)('openEncoder $name from $inputRate', ({ format, inputRate }) => {
  const speech = sine(1000, inputRate, inputRate / 2, 0.5);
  const codec = sampleCodecOf(format);

  const encode = (blockSamples: number) => {
    const encoder = openEncoder(format, inputRate);
    const bytes: number[] = [];
    for (let start = 0; start < speech.length; start += blockSamples) {
      bytes.push(...encoder.encode(speech.slice(start, start + blockSamples)));
      expect(bytes).toHaveLength(encoder.encodedSamples * codec.bytesPerSample);
    }
    bytes.push(...encoder.flush());
    return { bytes: Uint8Array.from(bytes), encodedSamples: encoder.encodedSamples };
  };

  it('yields the whole utterance at the rate of the format', () => {
    const { bytes, encodedSamples } = encode(2048);
    expect(encodedSamples).toBe(format.sampleRate / 2);
    expect(bytes).toHaveLength(encodedSamples * codec.bytesPerSample);
    expect(playingTimeMs(format, bytes)).toBe(500);
  });

  it('keeps pitch and level', () => {
    const heard = codec.decode(encode(2048).bytes).subarray(0, 4000);
    const peak = spectrumPeak(heard, format.sampleRate, 50);
    expect(peak.frequency).toBe(1000);
    expect(peak.levelDb).toBeCloseTo(-6, 0);
  });

  it('gives the same bytes however the blocks are cut', () => {
    expect(encode(333).bytes).toEqual(encode(speech.length).bytes);
  });
});

describe.each(OUTPUT_FORMATS)('openEncoder $name', (format) => {
  it('yields nothing for an utterance without audio', () => {
    const encoder = openEncoder(format, 22050);
    expect(encoder.encode(new Float32Array(0))).toHaveLength(0);
    expect(encoder.flush()).toHaveLength(0);
    expect(encoder.encodedSamples).toBe(0);
  });

  it('hears the end of what the resampler held back', () => {
    const encoder = openEncoder(format, 22050);
    const during = encoder.encode(new Float32Array(2205));
    const all = Buffer.concat([during, encoder.flush()]);
    expect(encoder.encodedSamples).toBe(format.sampleRate / 10);
    expect(playingTimeMs(format, all)).toBeGreaterThanOrEqual(100);
  });
});

describe('openEncoder', () => {
  it('encodes silence to the silence of the codec', () => {
    for (const format of SAMPLE_FORMATS) {
      const encoder = openEncoder(format, 22050);
      const bytes = [...encoder.encode(new Float32Array(2205)), ...encoder.flush()];
      expect(new Set(bytes)).toEqual(new Set(sampleCodecOf(format).silence));
    }
  });

  it('encodes what goes into a WAV file as it does without one', () => {
    const encoded = ['wav_24000', 'pcm_24000'].map((name) => {
      const encoder = openEncoder(parseOutputFormat(name), 22050);
      return Buffer.concat([encoder.encode(sine(300, 22050, 5000)), encoder.flush()]);
    });
    expect(encoded[0]).toEqual(encoded[1]);
  });
});
