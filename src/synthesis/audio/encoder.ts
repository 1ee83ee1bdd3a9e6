import type { OutputFormat } from '../../domain/audio.ts';
import { CODECS } from './codec.ts';
import type { FrameEncoder } from './frame-encoder.ts';
import { Resampler } from './resampler.ts';

/**
 * Turns the blocks of one utterance into the bytes of an output format: a `FrameEncoder` whose
 * samples come at the input rate. For a format that cannot be streamed, what it yields still needs
 * `wavFile` around it.
 */
export type Encoder = FrameEncoder;

/**
 * @param inputRate samples per second of the blocks.
 * @throws SpeechError `system_busy` when there is no room for one encoder more.
 */
export function openEncoder(format: OutputFormat, inputRate: number): Encoder {
  const encoder = CODECS[format.codec].open(format);
  const resampler = new Resampler(inputRate, format.sampleRate);
  return {
    encode: (samples) => encoder.encode(resampler.process(samples)),
    flush: () => joined(encoder.encode(resampler.flush()), encoder.flush()),
    close: () => encoder.close(),
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
