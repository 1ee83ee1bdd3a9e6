import { describe, expect, it } from 'vitest';
import { formatOfName } from '../../../../src/domain/audio.ts';
import { flac } from '../../../../src/synthesis/audio/codecs/flac.ts';
import { pcm16 } from '../../../../src/synthesis/audio/codecs/pcm16.ts';
import { decodeFlac } from '../../../contract/codec-decoders.ts';
import { sine } from '../../../support/audio-measures.ts';

const RATE = 24_000;
const FORMAT = formatOfName('flac_24000');

function encode(samples: Float32Array): Buffer {
  const encoder = flac.open(FORMAT);
  return Buffer.concat([encoder.encode(samples), encoder.flush()]);
}

function noise(length: number): Float32Array {
  return Float32Array.from({ length }, (_, index) => Math.sin(index ** 2) * 1.5);
}

describe('FLAC', () => {
  it.each([
    ['a tone', sine(440, RATE, 5000, 0.6)],
    ['noise that clips', noise(4096)],
    ['the loudest square wave', Float32Array.from({ length: 3000 }, (_, at) => (at % 2 ? 1 : -1))],
    ['silence', new Float32Array(2048)],
    ['one sample', Float32Array.of(0.5)],
    ['three samples', Float32Array.of(0.5, -0.5, 0.25)],
    ['one sample more than a frame', noise(1025)],
    ['more frames than one byte counts', sine(300, RATE, 1024 * 130, 0.3)],
  ])('is without loss: %s', async (_what, samples) => {
    const bytes = encode(samples);
    const decoded = await decodeFlac(bytes, RATE);
    expect(decoded).toHaveLength(samples.length);
    expect(Buffer.from(pcm16.encode(decoded)).equals(pcm16.encode(samples))).toBe(true);
    expect(flac.countSamples(bytes)).toBe(samples.length);
  });

  it('takes fewer bytes than PCM', () => {
    expect(encode(sine(440, RATE, RATE, 0.6)).length).toBeLessThan(RATE);
  });

  it('counts utterances that are joined', () => {
    const one = encode(noise(1500));
    const other = encode(sine(440, RATE, 3000, 0.6));
    expect(flac.countSamples(Buffer.concat([one, other]))).toBe(4500);
  });

  it.each([
    ['other bytes', Buffer.from('RIFF and so on')],
    ['a frame that is cut short', encode(noise(3000)).subarray(0, -1)],
  ])('does not count %s', (_what, bytes) => {
    expect(() => flac.countSamples(bytes)).toThrow(RangeError);
  });
});
