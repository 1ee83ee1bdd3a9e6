import type { OutputFormat } from '../../domain/audio.ts';
import { sampleCodecOf } from './codec.ts';

/** Cuts a stream of encoded bytes into frames of one fixed duration, as telephone carriers want them. */
export class Framer {
  readonly frameBytes: number;
  readonly #silence: Uint8Array;
  #pending = new Uint8Array(0);

  /**
   * @param durationMs of one frame; 20 is what telephony uses.
   * @throws RangeError when the duration is not a whole number of samples, or for mp3 and Opus.
   */
  constructor(format: OutputFormat, durationMs: number) {
    const { bytesPerSample, silence } = sampleCodecOf(format);
    const samples = (format.sampleRate * durationMs) / 1000;
    if (!Number.isInteger(samples) || samples <= 0) {
      throw new RangeError(`${durationMs} ms is not a whole number of ${format.name} samples.`);
    }
    this.frameBytes = samples * bytesPerSample;
    this.#silence = silence;
  }

  /**
   * @param bytes the next bytes, cut anywhere, even inside a sample; not kept.
   * @returns every frame that is whole now, each with memory of its own.
   */
  push(bytes: Uint8Array): Uint8Array[] {
    const joined = new Uint8Array(this.#pending.length + bytes.length);
    joined.set(this.#pending);
    joined.set(bytes, this.#pending.length);
    const frames: Uint8Array[] = [];
    let start = 0;
    for (; start + this.frameBytes <= joined.length; start += this.frameBytes) {
      frames.push(joined.slice(start, start + this.frameBytes));
    }
    this.#pending = joined.slice(start);
    return frames;
  }

  /** The rest, filled up with the codec's silence; undefined when nothing is left. */
  flush(): Uint8Array | undefined {
    if (this.#pending.length === 0) return undefined;
    const frame = Uint8Array.from(
      { length: this.frameBytes },
      (_, index) => this.#silence[index % this.#silence.length] as number,
    );
    frame.set(this.#pending);
    this.#pending = new Uint8Array(0);
    return frame;
  }
}
