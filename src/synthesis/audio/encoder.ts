import type { OutputFormat } from '../../domain/audio.ts';
import { CODECS } from './codec.ts';
import type { FrameEncoder } from './frame-encoder.ts';
import { Resampler } from './resampler.ts';

/**
 * Turns the blocks of one utterance into the bytes of an output format: a `FrameEncoder` whose
 * samples come at the input rate. For a format that cannot be streamed, what it yields still needs
 * `wavFile` around it.
 */
export interface Encoder extends FrameEncoder {
  /** The samples that follow come at another rate. */
  changeRate(inputRate: number): void;
}

/**
 * @param inputRate samples per second of the blocks.
 * @throws SpeechError `system_busy` when there is no room for one encoder more.
 */
export function openEncoder(format: OutputFormat, inputRate: number): Encoder {
  const encoder = CODECS[format.codec].open(format);
  let resampler = new Resampler(inputRate, format.sampleRate);
  /** Made of the end of what came at an earlier rate. */
  let earlier: Uint8Array = new Uint8Array(0);
  const encode = (samples: Float32Array): Uint8Array => {
    const encoded = joined(earlier, encoder.encode(samples));
    earlier = new Uint8Array(0);
    return encoded;
  };
  return {
    encode: (samples) => encode(resampler.process(samples)),
    flush: () => joined(encode(resampler.flush()), encoder.flush()),
    close: () => encoder.close(),
    changeRate: (changedRate) => {
      earlier = encode(resampler.flush());
      resampler = new Resampler(changedRate, format.sampleRate);
    },
    get encodedSamples() {
      return encoder.encodedSamples;
    },
  };
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  return Buffer.concat([first, second]);
}
