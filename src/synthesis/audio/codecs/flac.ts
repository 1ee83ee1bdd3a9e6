import type { OutputFormat } from '../../../domain/audio.ts';
import { FLAC_FRAME_SAMPLES, flacFrame, flacHeader } from '../flac-frame.ts';
import { countFlacSamples } from '../flac-frames.ts';
import type { Codec, FrameEncoder } from '../frame-encoder.ts';
import { pcm16 } from './pcm16.ts';

/** FLAC (RFC 9639): exactly the samples of 16-bit PCM, in about half the bytes. */
export const flac: Codec = {
  open: (format) => new FlacEncoder(format),
  countSamples: countFlacSamples,
};

class FlacEncoder implements FrameEncoder {
  readonly #sampleRate: number;
  /** The frame that is being filled. */
  readonly #pending = new Int16Array(FLAC_FRAME_SAMPLES);
  #pendingSamples = 0;
  #frames = 0;
  #encodedSamples = 0;

  constructor({ sampleRate }: OutputFormat) {
    this.#sampleRate = sampleRate;
  }

  get encodedSamples(): number {
    return this.#encodedSamples;
  }

  encode(samples: Float32Array): Uint8Array {
    const pcm = new Int16Array(pcm16.encode(samples).buffer);
    const frames: Uint8Array[] = [];
    for (let start = 0; start < pcm.length; ) {
      const part = pcm.subarray(start, start + FLAC_FRAME_SAMPLES - this.#pendingSamples);
      this.#pending.set(part, this.#pendingSamples);
      this.#pendingSamples += part.length;
      start += part.length;
      if (this.#pendingSamples === FLAC_FRAME_SAMPLES) frames.push(this.#takeFrame());
    }
    return Buffer.concat(frames);
  }

  flush(): Uint8Array {
    return this.#pendingSamples > 0 ? this.#takeFrame() : new Uint8Array(0);
  }

  close(): void {}

  /** The stream's header comes with its first frame, so that an utterance without audio is no bytes at all. */
  #takeFrame(): Uint8Array {
    const samples = this.#pending.subarray(0, this.#pendingSamples);
    const frame = flacFrame(this.#frames, samples, this.#sampleRate);
    const isFirst = this.#frames === 0;
    this.#frames++;
    this.#encodedSamples += this.#pendingSamples;
    this.#pendingSamples = 0;
    return isFirst ? Buffer.concat([flacHeader(this.#sampleRate), frame]) : frame;
  }
}
