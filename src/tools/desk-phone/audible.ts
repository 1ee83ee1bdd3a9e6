import type { OutputFormat } from '../../domain/audio.ts';
import { sampleCodecOf } from '../../synthesis/audio/codec.ts';
import type { HeardRun } from './playout-rules.ts';

/** −40 dB of full scale: what is below is no speech. */
const AUDIBLE_PEAK = 0.01;

/** When the first sound within a stretch is heard; undefined when all of it is silence. */
export function firstSoundMs(
  { startMs, audio }: HeardRun,
  format: OutputFormat,
): number | undefined {
  const codec = sampleCodecOf(format);
  let samplesBefore = 0;
  for (const piece of audio) {
    const samples = codec.decode(piece);
    const index = samples.findIndex((sample) => Math.abs(sample) > AUDIBLE_PEAK);
    if (index >= 0) return startMs + (1000 * (samplesBefore + index)) / format.sampleRate;
    samplesBefore += samples.length;
  }
  return undefined;
}
