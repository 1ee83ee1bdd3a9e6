import {
  type CodecName,
  isSampleCodec,
  type OutputFormat,
  parseOutputFormat,
  type SampleCodecName,
} from '../../domain/audio.ts';
import { alaw } from './codecs/alaw.ts';
import { flac } from './codecs/flac.ts';
import { float32 } from './codecs/float32.ts';
import { mp3 } from './codecs/mp3.ts';
import { mulaw } from './codecs/mulaw.ts';
import { opus, prepareOpus } from './codecs/opus.ts';
import { pcm16 } from './codecs/pcm16.ts';
import type { Codec } from './frame-encoder.ts';
import { type SampleCodec, statelessCodec } from './sample-codec.ts';

/** The codecs that can be cut between any two samples, and read back. */
export const SAMPLE_CODECS: Readonly<Record<SampleCodecName, SampleCodec>> = {
  pcm: pcm16,
  ulaw: mulaw,
  alaw,
  f32: float32,
};

/** Every codec there is; a new one is a file in `codecs/` and a row here. */
export const CODECS: Readonly<Record<CodecName, Codec>> = {
  pcm: statelessCodec(pcm16),
  ulaw: statelessCodec(mulaw),
  alaw: statelessCodec(alaw),
  f32: statelessCodec(float32),
  mp3,
  opus,
  flac,
};

/** @throws RangeError for mp3, Opus and FLAC, whose bytes stand for no single sample. */
export function sampleCodecOf({ codec, name }: OutputFormat): SampleCodec {
  if (isSampleCodec(codec)) return SAMPLE_CODECS[codec];
  throw new RangeError(`${name} cannot be cut between samples.`);
}

/** One format of each codec that has to be compiled before it can run. */
const COMPILED_FORMATS = ['mp3_44100_128', 'opus_48000_32'].map(parseOutputFormat);
const WARM_UP_SAMPLES = 4800;

/**
 * Loads what mp3 and Opus need, and has each run once, so that the first utterance waits for
 * nothing (30 ms in all). Until it has resolved, Opus cannot be encoded. May be called again.
 */
export async function prepareCodecs(): Promise<void> {
  await prepareOpus();
  const noise = Float32Array.from({ length: WARM_UP_SAMPLES }, (_, index) => Math.sin(index ** 2));
  for (const format of COMPILED_FORMATS) {
    const encoder = CODECS[format.codec].open(format);
    encoder.encode(noise);
    encoder.flush();
  }
}

/** How long encoded audio plays, in milliseconds. */
export function playingTimeMs(format: OutputFormat, encoded: Uint8Array): number {
  return (1000 * CODECS[format.codec].countSamples(encoded)) / format.sampleRate;
}
