import type { OutputFormat } from '../../domain/audio.ts';
import { sampleCodecOf } from '../../synthesis/audio/codec.ts';
import { Resampler } from '../../synthesis/audio/resampler.ts';
import type { SampleCodec } from '../../synthesis/audio/sample-codec.ts';
import type { WavAudio } from '../../synthesis/audio/wav.ts';

/** What is heard of a caller who says nothing. */
export type Background = 'silence' | 'noise';

/** Peak of the noise: about −60 dB of full scale, as comfort noise of telephones is. */
const NOISE_AMPLITUDE = 0.0017;

/** The caller's voice, in the call's format, a frame at a time; never runs out. */
export class CallerVoice {
  readonly #format: OutputFormat;
  readonly #codec: SampleCodec;
  readonly #background: Background;
  #speech: Float32Array[] = [];
  #noiseState = 0x2545f491;

  constructor(format: OutputFormat, background: Background) {
    this.#format = format;
    this.#codec = sampleCodecOf(format);
    this.#background = background;
  }

  /** Whether something that was to be said has not been said yet. */
  get isSpeaking(): boolean {
    return this.#speech.length > 0;
  }

  /** Says something, after what is still to be said. */
  say({ samples, sampleRate }: WavAudio): void {
    const resampler = new Resampler(sampleRate, this.#format.sampleRate);
    for (const block of [resampler.process(samples), resampler.flush()]) {
      if (block.length > 0) this.#speech.push(block);
    }
  }

  /** The next piece of the caller's audio, encoded. */
  frame(durationMs: number): Uint8Array {
    const samples = this.#backgroundSamples((this.#format.sampleRate * durationMs) / 1000);
    let filled = 0;
    while (filled < samples.length) {
      const [block] = this.#speech;
      if (!block) break;
      const part = block.subarray(0, samples.length - filled);
      samples.set(part, filled);
      filled += part.length;
      if (part.length === block.length) this.#speech.shift();
      else this.#speech[0] = block.subarray(part.length);
    }
    return this.#codec.encode(samples);
  }

  #backgroundSamples(count: number): Float32Array {
    const samples = new Float32Array(count);
    if (this.#background === 'silence') return samples;
    for (let index = 0; index < count; index++) {
      // Marsaglia's xorshift: the same noise in every call.
      this.#noiseState ^= this.#noiseState << 13;
      this.#noiseState ^= this.#noiseState >>> 17;
      this.#noiseState ^= this.#noiseState << 5;
      samples[index] = (this.#noiseState / 0x8000_0000) * NOISE_AMPLITUDE;
    }
    return samples;
  }
}
