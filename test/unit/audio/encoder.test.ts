import { describe, expect, it } from 'vitest';
import { CODECS } from '../../../src/audio/codec.ts';
import { openEncoder } from '../../../src/audio/encoder.ts';
import { OUTPUT_FORMATS } from '../../../src/domain/audio.ts';
import { sine, spectrumPeak } from '../../support/audio-measures.ts';

const INPUT_RATES = [16000, 22050, 24000];
const CASES = OUTPUT_FORMATS.flatMap((format) =>
  INPUT_RATES.map((inputRate) => ({ format, inputRate, name: format.name })),
);

describe.each(CASES)('openEncoder $name from $inputRate', ({ format, inputRate }) => {
  const speech = sine(1000, inputRate, inputRate / 2, 0.5);
  const codec = CODECS[format.codec];

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
  });

  it('keeps pitch and level', () => {
    const heard = codec.decode(encode(2048).bytes).subarray(0, 4000);
    const peak = spectrumPeak(heard, format.sampleRate, 50);
    expect(peak.frequency).toBe(1000);
    expect(peak.levelDb).toBeCloseTo(-6.02, 1);
  });

  it('gives the same bytes however the blocks are cut', () => {
    expect(encode(333).bytes).toEqual(encode(speech.length).bytes);
  });
});

describe('openEncoder', () => {
  it('yields nothing for an utterance without audio', () => {
    for (const format of OUTPUT_FORMATS) {
      const encoder = openEncoder(format, 22050);
      expect(encoder.encode(new Float32Array(0))).toHaveLength(0);
      expect(encoder.flush()).toHaveLength(0);
      expect(encoder.encodedSamples).toBe(0);
    }
  });

  it('encodes silence to the silence of the codec', () => {
    for (const format of OUTPUT_FORMATS) {
      const encoder = openEncoder(format, 22050);
      const bytes = [...encoder.encode(new Float32Array(2205)), ...encoder.flush()];
      expect(new Set(bytes)).toEqual(new Set(CODECS[format.codec].silence));
    }
  });
});
