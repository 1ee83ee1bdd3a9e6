import { beforeAll, describe, expect, it } from 'vitest';
import type { CodecName, OutputFormat } from '../../src/domain/audio.ts';
import { playingTimeMs, prepareCodecs } from '../../src/synthesis/audio/codec.ts';
import { openEncoder } from '../../src/synthesis/audio/encoder.ts';
import { rmsDbfs, sine, spectrumPeak } from '../support/audio-measures.ts';
import { decodeAudio } from './codec-decoders.ts';

const VOICE_RATE = 22050;
const SECONDS = 1;

/** What a codec may do to a voice. */
interface Fidelity {
  /** Signal to noise of a voice's harmonics, after the level has been matched. */
  readonly snrDb: number;
  /** LAME turns everything down by up to 5 %, so that nothing clips when it is decoded. */
  readonly levelDb: number;
  /** Samples of silence before the utterance. */
  readonly delay: number;
  /** The most that may come after it, in samples. */
  readonly tail: number;
}

const FIDELITY: Readonly<Record<CodecName, Fidelity>> = {
  pcm: { snrDb: 80, levelDb: 0.01, delay: 0, tail: 0 },
  ulaw: { snrDb: 34, levelDb: 0.05, delay: 0, tail: 0 },
  alaw: { snrDb: 34, levelDb: 0.1, delay: 0, tail: 0 },
  f32: { snrDb: 80, levelDb: 0.01, delay: 0, tail: 0 },
  mp3: { snrDb: 20, levelDb: 0.5, delay: 1105, tail: 2 * 1152 },
  opus: { snrDb: 20, levelDb: 0.3, delay: 0, tail: 0 },
  flac: { snrDb: 80, levelDb: 0.01, delay: 0, tail: 0 },
};
/** At 32 kbit/s Opus models a voice and does not follow its wave above the first kilohertz or two. */
const VOICE_MODEL_SNR_DB = 9;

/** Ten harmonics of a voice's pitch, each weaker than the last, all of them inside the phone band. */
function voice(rate: number): Float32Array {
  const harmonics = Array.from({ length: 10 }, (_, index) =>
    sine(150 * (index + 1), rate, Math.round(SECONDS * rate), 0.3 / (index + 1)),
  );
  return harmonics.reduce((sum, harmonic) => sum.map((x, at) => x + (harmonic[at] as number)));
}

function encode(format: OutputFormat, samples: Float32Array, blockSamples: number) {
  const encoder = openEncoder(format, VOICE_RATE);
  const pieces: Uint8Array[] = [];
  const heard: number[] = [];
  for (let start = 0; start < samples.length; start += blockSamples) {
    pieces.push(encoder.encode(samples.subarray(start, start + blockSamples)));
    heard.push(encoder.encodedSamples);
  }
  pieces.push(encoder.flush());
  heard.push(encoder.encodedSamples);
  return { pieces, heard, bytes: Buffer.concat(pieces) };
}

/** Signal to noise once the candidate is scaled to fit best. */
function fittedSnrDb(reference: Float32Array, candidate: Float32Array): number {
  let product = 0;
  let power = 0;
  for (const [index, sample] of candidate.entries()) {
    product += sample * (reference[index] as number);
    power += sample * sample;
  }
  const residue = reference.map((x, index) => x - (product / power) * (candidate[index] as number));
  return rmsDbfs(reference) - rmsDbfs(residue);
}

/** What every output format must do: listened to, as far as it can be. */
export function formatContract(format: OutputFormat): void {
  const { snrDb, levelDb, delay, tail } = FIDELITY[format.codec];
  const total = Math.round(SECONDS * format.sampleRate);
  // Away from both ends, where filters are still filling.
  const middle = (samples: Float32Array, from: number) =>
    samples.subarray(from + total * 0.2, from + total * 0.8);

  describe(`format contract: ${format.name}`, () => {
    beforeAll(prepareCodecs);

    it('gives back the voice that it was given', async () => {
      const { bytes } = encode(format, voice(VOICE_RATE), 2048);
      const decoded = await decodeAudio(format, bytes);
      const reference = middle(voice(format.sampleRate), 0);
      const heard = middle(decoded, delay);
      const least = format.name === 'opus_48000_32' ? VOICE_MODEL_SNR_DB : snrDb;
      expect(fittedSnrDb(reference, heard)).toBeGreaterThan(least);
      expect(Math.abs(rmsDbfs(heard) - rmsDbfs(reference))).toBeLessThan(levelDb + 0.1);
    });

    it('keeps pitch and level of a tone', async () => {
      const tone = sine(1000, VOICE_RATE, SECONDS * VOICE_RATE, 0.5);
      const decoded = await decodeAudio(format, encode(format, tone, 4096).bytes);
      const heard = middle(decoded, delay).subarray(0, 4000);
      const peak = spectrumPeak(heard, format.sampleRate, 50);
      expect(peak.frequency).toBe(1000);
      expect(Math.abs(peak.levelDb + 6.02)).toBeLessThan(levelDb);
    });

    it('lasts as long as what it was given, and says how long it plays', async () => {
      const { bytes } = encode(format, voice(VOICE_RATE), 2048);
      const decoded = await decodeAudio(format, bytes);
      expect(decoded.length).toBeGreaterThanOrEqual(total + delay);
      expect(decoded.length).toBeLessThanOrEqual(total + delay + tail);
      expect(playingTimeMs(format, bytes)).toBeCloseTo((1000 * decoded.length) / format.sampleRate);
    });

    it('knows at every moment how much can be heard', async () => {
      const { pieces, heard } = encode(format, voice(VOICE_RATE), 4096);
      expect(heard).toEqual(heard.toSorted((a, b) => a - b));
      expect(heard.at(-1)).toBe(total);
      const half = pieces.length >> 1;
      const decoded = await decodeAudio(format, Buffer.concat(pieces.slice(0, half)));
      expect(decoded.length).toBeGreaterThanOrEqual(heard[half - 1] ?? Number.NaN);
    });

    it('says the same whenever it is asked, and however the blocks are cut', async () => {
      const speech = voice(VOICE_RATE);
      const { bytes } = encode(format, speech, 2048);
      expect(encode(format, speech, 2048).bytes).toEqual(bytes);
      const cutOtherwise = await decodeAudio(format, encode(format, speech, 333).bytes);
      expect(cutOtherwise).toEqual(await decodeAudio(format, bytes));
    });

    it('clips what is too loud, and speaks silence for what is not a number', async () => {
      const loud = sine(300, VOICE_RATE, SECONDS * VOICE_RATE, 4);
      loud.fill(Number.NaN, 9000, 9100);
      loud.fill(Number.POSITIVE_INFINITY, 9100, 9105);
      const decoded = await decodeAudio(format, encode(format, loud, 2048).bytes);
      expect(decoded.every((sample) => Math.abs(sample) < 2)).toBe(true);
      // A square wave between clipped tops: wrapping would leave far less.
      expect(rmsDbfs(middle(decoded, delay))).toBeGreaterThan(-2);
    });

    it('keeps silence silent', async () => {
      const decoded = await decodeAudio(
        format,
        encode(format, new Float32Array(VOICE_RATE), 2048).bytes,
      );
      expect(rmsDbfs(decoded)).toBeLessThan(-70);
    });

    it('yields nothing for an utterance without audio', () => {
      const { bytes, heard } = encode(format, new Float32Array(0), 1);
      expect(bytes).toHaveLength(0);
      expect(heard).toEqual([0]);
    });

    it('can be given up at any time, and more than once', () => {
      const encoder = openEncoder(format, VOICE_RATE);
      encoder.encode(voice(VOICE_RATE));
      encoder.close();
      encoder.close();
      const flushed = openEncoder(format, VOICE_RATE);
      const pieces = [flushed.encode(new Float32Array(100)), flushed.flush()];
      expect(Buffer.concat(pieces).length).toBeGreaterThan(0);
      flushed.close();
    });
  });
}
