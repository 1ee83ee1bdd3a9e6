import type { OutputFormat } from '../domain/audio.ts';
import { CODECS } from './codec.ts';
import { Resampler } from './resampler.ts';

/** Turns the blocks of one utterance into the bytes of an output format. */
export interface Encoder {
  /** @param samples the next block at the input rate, −1…1; bytes come as soon as they are certain. */
  encode(samples: Float32Array): Uint8Array;
  /** Ends the utterance: the samples that the resampler held back. Another may follow. */
  flush(): Uint8Array;
  /** Output samples produced so far, at the format's rate. */
  readonly encodedSamples: number;
}

/** @param inputRate samples per second of the blocks. */
export function openEncoder(format: OutputFormat, inputRate: number): Encoder {
  const codec = CODECS[format.codec];
  const resampler = new Resampler(inputRate, format.sampleRate);
  let encodedSamples = 0;
  const encoded = (samples: Float32Array): Uint8Array => {
    encodedSamples += samples.length;
    return codec.encode(samples);
  };
  return {
    encode: (samples) => encoded(resampler.process(samples)),
    flush: () => encoded(resampler.flush()),
    get encodedSamples() {
      return encodedSamples;
    },
  };
}
