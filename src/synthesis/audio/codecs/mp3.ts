import type { OutputFormat } from '../../../domain/audio.ts';
import { clipped } from '../clipping.ts';
import type { Codec, FrameEncoder } from '../frame-encoder.ts';
import { Lame } from './lame.ts';

/**
 * Samples that a player makes before the first of the utterance: 576 that LAME waits for its
 * filters, 529 that every decoder does (LAME Technical FAQ, "encoder delay"). There is no
 * LAME tag to take them away again: it would have to stand first and say the length.
 */
export const MP3_DELAY_SAMPLES = 576 + 529;

/** Kilobits per second of layer III by the header's index, for MPEG-1 and MPEG-2 (ISO 11172-3, 13818-3). */
const MPEG1_KILOBITS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const MPEG2_KILOBITS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const MPEG1_RATES = [44100, 48000, 32000];
const HEADER_BYTES = 4;

/**
 * MPEG-1 or MPEG-2 layer III of constant bitrate, without bit reservoir: every piece is whole
 * frames, and every frame decodes without the one before it but for the overlap of half a frame.
 */
export const mp3: Codec = {
  open: (format) => new Mp3Encoder(format),
  countSamples: (encoded) =>
    readMp3Frames(encoded).reduce((total, { samples }) => total + samples, 0),
};

class Mp3Encoder implements FrameEncoder {
  readonly #lame: Lame;
  #givenSamples = 0;
  #framedSamples = 0;

  constructor({ sampleRate, bitsPerSecond }: OutputFormat) {
    this.#lame = new Lame(sampleRate, bitsPerSecond / 1000);
  }

  get encodedSamples(): number {
    return Math.min(this.#givenSamples, Math.max(0, this.#framedSamples - MP3_DELAY_SAMPLES));
  }

  encode(samples: Float32Array): Uint8Array {
    this.#givenSamples += samples.length;
    return this.#count(this.#lame.encode(clipped(samples)));
  }

  flush(): Uint8Array {
    try {
      // Without audio there is nothing to flush; LAME would make two frames of silence.
      return this.#givenSamples > 0 ? this.#count(this.#lame.flush()) : new Uint8Array(0);
    } finally {
      this.close();
    }
  }

  close(): void {
    this.#lame.close();
  }

  #count(frames: Uint8Array): Uint8Array {
    this.#framedSamples += mp3.countSamples(frames);
    return frames;
  }
}

export interface Mp3Frame {
  /** Where its header begins. */
  readonly start: number;
  /** Header included. */
  readonly bytes: number;
  /** Per channel. */
  readonly samples: number;
  readonly sampleRate: number;
  readonly bitsPerSecond: number;
}

/**
 * Walks over layer III frames that follow one another without gap.
 * @throws RangeError where no frame begins or one is cut short.
 */
export function readMp3Frames(encoded: Uint8Array): Mp3Frame[] {
  const frames: Mp3Frame[] = [];
  for (let start = 0; start < encoded.length; ) {
    const frame = readHeader(encoded, start);
    frames.push(frame);
    start += frame.bytes;
  }
  return frames;
}

function readHeader(encoded: Uint8Array, start: number): Mp3Frame {
  const [sync = 0, version = 0, numbers = 0] = encoded.subarray(start, start + HEADER_BYTES);
  const isMpeg1 = (version & 0xfe) === 0xfa;
  const isMpeg2 = (version & 0xfe) === 0xf2;
  const kilobits = (isMpeg1 ? MPEG1_KILOBITS : MPEG2_KILOBITS)[numbers >> 4];
  const rate = MPEG1_RATES[(numbers >> 2) & 3];
  if (sync !== 0xff || !(isMpeg1 || isMpeg2) || !kilobits || !rate) {
    throw new RangeError(`No mp3 frame begins at byte ${start}.`);
  }
  const samples = isMpeg1 ? 1152 : 576;
  const sampleRate = isMpeg1 ? rate : rate / 2;
  const padding = (numbers >> 1) & 1;
  const bytes = Math.floor(((samples / 8) * 1000 * kilobits) / sampleRate) + padding;
  if (start + bytes > encoded.length)
    throw new RangeError(`The mp3 frame at ${start} is cut short.`);
  return { start, bytes, samples, sampleRate, bitsPerSecond: 1000 * kilobits };
}
