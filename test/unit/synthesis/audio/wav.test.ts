import { describe, expect, it } from 'vitest';
import { OUTPUT_FORMATS, parseOutputFormat } from '../../../../src/domain/audio.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';
import { SAMPLE_CODECS, sampleCodecOf } from '../../../../src/synthesis/audio/codec.ts';
import { readWav, wavFile, wavHeader } from '../../../../src/synthesis/audio/wav.ts';
import { sine } from '../../../support/audio-measures.ts';

const SAMPLE_FORMATS = OUTPUT_FORMATS.filter(({ codec }) => codec in SAMPLE_CODECS);

/** A RIFF file of any chunks, for readers to be tried on. */
function riff(...chunks: ReadonlyArray<readonly [string, Uint8Array]>): Uint8Array {
  const body = chunks.map(([tag, data]) => {
    const head = Buffer.alloc(8);
    head.write(tag, 'latin1');
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  });
  const head = Buffer.from('RIFF\0\0\0\0WAVE', 'latin1');
  head.writeUInt32LE(4 + Buffer.concat(body).length, 4);
  return Buffer.concat([head, ...body]);
}

function formatChunk(tag: number, channels: number, rate: number, bits: number): Buffer {
  const chunk = Buffer.alloc(16);
  chunk.writeUInt16LE(tag, 0);
  chunk.writeUInt16LE(channels, 2);
  chunk.writeUInt32LE(rate, 4);
  chunk.writeUInt32LE((rate * channels * bits) / 8, 8);
  chunk.writeUInt16LE((channels * bits) / 8, 12);
  chunk.writeUInt16LE(bits, 14);
  return chunk;
}

describe('wavHeader', () => {
  it('says the format in 44 bytes', () => {
    const header = Buffer.from(wavHeader(parseOutputFormat('ulaw_8000'), 160));
    expect(header.toString('hex')).toBe(
      '52494646c40000005741564566' +
        '6d7420100000000700010040' +
        '1f0000401f000001000800' +
        '64617461a0000000',
    );
  });

  it('refuses more than a WAV file can hold', () => {
    expect(() => wavHeader(parseOutputFormat('pcm_8000'), 2 ** 32)).toThrow(RangeError);
  });

  it('refuses what has a file format of its own', () => {
    expect(() => wavHeader(parseOutputFormat('mp3_44100_128'), 100)).toThrow(RangeError);
  });
});

describe('readWav', () => {
  it.each(SAMPLE_FORMATS)('reads what wavFile writes: $name', (format) => {
    const codec = sampleCodecOf(format);
    const encoded = codec.encode(sine(500, format.sampleRate, 1001));
    const audio = readWav(wavFile(format, encoded));
    expect(audio.sampleRate).toBe(format.sampleRate);
    expect(audio.samples).toEqual(codec.decode(encoded));
  });

  it('pads an odd length to an even file', () => {
    expect(wavFile(parseOutputFormat('ulaw_8000'), new Uint8Array(3))).toHaveLength(48);
  });

  it('reads float files', () => {
    const samples = Float32Array.of(0.25, -0.5, 1);
    const file = riff(
      ['fmt ', formatChunk(3, 1, 16000, 32)],
      ['fact', new Uint8Array(4)],
      ['data', new Uint8Array(samples.buffer)],
    );
    expect(readWav(file)).toEqual({ sampleRate: 16000, samples });
  });

  it('reads extensible headers', () => {
    const extension = Buffer.alloc(24);
    extension.writeUInt16LE(22, 0);
    extension.writeUInt16LE(1, 8);
    const file = riff(
      ['fmt ', Buffer.concat([formatChunk(0xfffe, 1, 8000, 16), extension])],
      ['data', Uint8Array.of(0, 0x40)],
    );
    expect([...readWav(file).samples]).toEqual([0.5]);
  });

  it('averages channels', () => {
    const data = SAMPLE_CODECS.pcm.encode(Float32Array.of(0.5, 0.25, -0.5, 0.5));
    const file = riff(['fmt ', formatChunk(1, 2, 8000, 16)], ['data', data]);
    expect([...readWav(file).samples]).toEqual([0.375, 0]);
  });

  it('skips other chunks, even of odd length', () => {
    const file = riff(
      ['LIST', new Uint8Array(5)],
      ['fmt ', formatChunk(7, 1, 8000, 8)],
      ['data', Uint8Array.of(0xff)],
    );
    expect(readWav(file).samples[0]).toBeCloseTo(0);
  });

  it('ends with the file when the recorder never wrote the length', () => {
    const header = wavHeader(parseOutputFormat('pcm_8000'), 0xffff_0000);
    const file = Buffer.concat([header, new Uint8Array(8)]);
    expect(readWav(file).samples).toHaveLength(4);
  });

  it.each([
    ['nothing', new Uint8Array(0)],
    ['text', Buffer.from('{"detail":"no audio here"}')],
    ['a file without audio', riff(['fmt ', formatChunk(1, 1, 8000, 16)])],
    ['audio before its format', riff(['data', new Uint8Array(4)])],
    ['a format chunk cut short', riff(['fmt ', new Uint8Array(8)], ['data', new Uint8Array(2)])],
    ['24-bit samples', riff(['fmt ', formatChunk(1, 1, 8000, 24)], ['data', new Uint8Array(3)])],
    ['no channels', riff(['fmt ', formatChunk(1, 0, 8000, 16)], ['data', new Uint8Array(4)])],
    ['a chunk head cut short', Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1')],
  ])('refuses %s', (_, file) => {
    expect(() => readWav(file)).toThrow(SpeechError);
  });
});
