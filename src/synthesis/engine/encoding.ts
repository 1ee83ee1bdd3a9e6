import { fillFrameNoise } from './noise.ts';
import type { FrameRange } from './windows.ts';

/**
 * What the text stage makes of a chunk, and what later stages add. Every array lies in shared memory,
 * so that any thread can compute any window, and a window that a thread died over can be repeated.
 */
export interface Encoding {
  readonly channels: number;
  readonly frames: number;
  /** Prior of the latent, [channels, phonemes]. */
  readonly mean: Float32Array;
  readonly deviation: Float32Array;
  /** Frames that each phoneme lasts. */
  readonly durations: Uint32Array;
  /** For each frame, the phoneme that it belongs to. */
  readonly phonemeOfFrame: Uint32Array;
  /** The speaker, as the layers of flow and decoder read it; by the input's name. */
  readonly conditions: Readonly<Record<string, Float32Array>>;
  /** Output of the flow, [channels, frames]; filled window by window. */
  readonly latent: Float32Array;
  /** One is read while the other is written: a stretch that fails leaves behind what it began with. */
  readonly flowCarries: readonly [FlowCarry, FlowCarry];
  readonly seed: number;
  readonly noiseScale: number;
}

/** What the flow's layers need of the frames before a stretch. */
export interface FlowCarry {
  /** One number: the frame that the stretch begins with. */
  readonly position: Uint32Array;
  /** For each of the flow's carries, [channels, sum of lengths]. */
  readonly values: readonly Float32Array[];
}

export function sharedFloats(values: ArrayLike<number> | number): Float32Array {
  const length = typeof values === 'number' ? values : values.length;
  const bytes = length * Float32Array.BYTES_PER_ELEMENT;
  const shared = new Float32Array(new SharedArrayBuffer(bytes));
  if (typeof values !== 'number') shared.set(values);
  return shared;
}

export function sharedCounts(values: ArrayLike<number>): Uint32Array {
  const shared = new Uint32Array(
    new SharedArrayBuffer(values.length * Uint32Array.BYTES_PER_ELEMENT),
  );
  shared.set(values);
  return shared;
}

/** Repeats each phoneme's index for as many frames as it lasts. */
export function expandDurations(durations: ArrayLike<number>): number[] {
  return Array.from(durations).flatMap((frames, phoneme) =>
    new Array<number>(frames).fill(phoneme),
  );
}

/** The flow's input for a stretch of frames, [channels, stretch]: mean + noise · deviation. */
export function noisyLatent(encoding: Encoding, { from, to }: FrameRange): Float32Array {
  const { channels, mean, deviation, phonemeOfFrame, seed, noiseScale } = encoding;
  const width = to - from;
  const phonemes = encoding.durations.length;
  const noise = new Float32Array(channels);
  const noisy = new Float32Array(channels * width);
  for (let frame = from; frame < to; frame++) {
    const phoneme = phonemeOfFrame[frame] ?? 0;
    fillFrameNoise(noise, seed, 'latent', frame);
    for (let channel = 0; channel < channels; channel++) {
      const cell = channel * phonemes + phoneme;
      noisy[channel * width + frame - from] =
        (mean[cell] ?? 0) + (noise[channel] ?? 0) * (deviation[cell] ?? 0) * noiseScale;
    }
  }
  return noisy;
}

/** Copies a stretch out of a [channels, frames] array. */
export function readStretch(
  rows: Float32Array,
  channels: number,
  { from, to }: FrameRange,
): Float32Array {
  const frames = rows.length / channels;
  const copy = new Float32Array(channels * (to - from));
  for (let channel = 0; channel < channels; channel++) {
    const start = channel * frames;
    copy.set(rows.subarray(start + from, start + to), channel * (to - from));
  }
  return copy;
}

/** Copies `[channels, width]` samples into a stretch of `[channels, frames]`, from `from` on. */
export function writeStretch(
  rows: Float32Array,
  channels: number,
  from: number,
  samples: Float32Array,
): void {
  const frames = rows.length / channels;
  const width = samples.length / channels;
  for (let channel = 0; channel < channels; channel++) {
    const start = channel * width;
    rows.set(samples.subarray(start, start + width), channel * frames + from);
  }
}
