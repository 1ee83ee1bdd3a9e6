import { describe, expect, it } from 'vitest';
import { OUTPUT_FORMATS, parseOutputFormat } from '../../../../src/domain/audio.ts';
import { mp3, readMp3Frames } from '../../../../src/synthesis/audio/codecs/mp3.ts';
import { decodeMp3 } from '../../../contract/codec-decoders.ts';
import { rmsDbfs, sine } from '../../../support/audio-measures.ts';

const FORMATS = OUTPUT_FORMATS.filter(({ codec }) => codec === 'mp3');
const standard = parseOutputFormat('mp3_44100_128');

/** A tone in noise that comes and goes: uneven work, for which LAME would like to save bits up. */
function uneven(rate: number, length: number): Float32Array {
  let state = 1;
  return sine(500, rate, length, 0.4).map((sample, index) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const noise = index % rate < rate / 4 ? state / 2 ** 32 - 0.5 : 0;
    return sample * Math.sin((4 * Math.PI * index) / rate) ** 2 + 0.4 * noise;
  });
}

function pieces(format = standard, seconds = 2): Uint8Array[] {
  const encoder = mp3.open(format);
  const samples = uneven(format.sampleRate, seconds * format.sampleRate);
  const encoded: Uint8Array[] = [];
  for (let start = 0; start < samples.length; start += 2000) {
    encoded.push(encoder.encode(samples.subarray(start, start + 2000)));
  }
  return [...encoded, encoder.flush()];
}

describe.each(FORMATS)('mp3 $name', (format) => {
  it('has in every frame the rate and the bitrate of its name', () => {
    for (const frame of readMp3Frames(Buffer.concat(pieces(format)))) {
      expect(frame).toMatchObject({
        sampleRate: format.sampleRate,
        bitsPerSecond: format.bitsPerSecond,
      });
    }
  });

  it('spends exactly its bitrate', () => {
    const bytes = Buffer.concat(pieces(format));
    const seconds = mp3.countSamples(bytes) / format.sampleRate;
    expect(Math.abs(8 * bytes.length - format.bitsPerSecond * seconds)).toBeLessThanOrEqual(8);
  });

  it('is cut where frames end, and each frame keeps its data to itself', () => {
    for (const piece of pieces(format)) {
      for (const { start, samples } of readMp3Frames(piece)) {
        // main_data_begin: how many bytes of the frames before are needed (ISO 11172-3 §2.4.1.7).
        const sideInformation = Buffer.from(piece).readUInt16BE(start + 4);
        const mainDataBegin = sideInformation >> (samples === 1152 ? 7 : 8);
        expect(mainDataBegin).toBe(0);
      }
    }
  });

  it('can be decoded from any piece on', async () => {
    const all = pieces(format).filter(({ length }) => length > 0);
    for (const piece of all.slice(2, 5)) {
      const decoded = await decodeMp3(piece, format.sampleRate);
      expect(decoded).toHaveLength(mp3.countSamples(piece));
    }
  });
});

describe('mp3', () => {
  it('gives its first frames before a tenth of a second has come in', () => {
    const encoder = mp3.open(standard);
    expect(encoder.encode(uneven(44100, 3000)).length).toBeGreaterThan(0);
    encoder.close();
  });

  it('lets the last sample be heard', async () => {
    const encoder = mp3.open(standard);
    const samples = new Float32Array(44100);
    samples.fill(0.5, 44000);
    const bytes = Buffer.concat([encoder.encode(samples), encoder.flush()]);
    const decoded = await decodeMp3(bytes, 44100);
    expect(rmsDbfs(decoded.subarray(44000 + 1105, 44100 + 1105))).toBeGreaterThan(-12);
  });

  it('speaks several utterances at once without mixing them up', () => {
    const alone = Buffer.concat(pieces());
    const [one, two] = [mp3.open(standard), mp3.open(standard)];
    const samples = uneven(44100, 2 * 44100);
    const together: Uint8Array[] = [];
    for (let start = 0; start < samples.length; start += 2000) {
      together.push(one.encode(samples.subarray(start, start + 2000)));
      two.encode(new Float32Array(700));
    }
    together.push(one.flush());
    two.close();
    expect(Buffer.concat(together)).toEqual(alone);
  });

  it('gives memory back: thousands of utterances, abandoned or not, leave room for more', () => {
    // Each takes 2.2 MB of at most 2 GB, so that a leak would end this before it is done.
    for (let index = 0; index < 1200; index++) {
      const encoder = mp3.open(standard);
      if (index % 2 === 0) encoder.close();
      else expect(encoder.flush()).toHaveLength(0);
    }
  });
});

describe('readMp3Frames', () => {
  it('refuses what is no mp3, and frames that are cut short', () => {
    const bytes = Buffer.concat(pieces());
    expect(() => readMp3Frames(Buffer.from('RIFF'))).toThrow(RangeError);
    expect(() => readMp3Frames(bytes.subarray(1))).toThrow(RangeError);
    expect(() => readMp3Frames(bytes.subarray(0, 500))).toThrow(RangeError);
    expect(() => readMp3Frames(bytes.subarray(0, 3))).toThrow(RangeError);
  });
});
