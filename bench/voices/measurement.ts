import { parseOutputFormat } from '../../src/domain/audio.ts';
import { openEncoder } from '../../src/synthesis/audio/encoder.ts';
import { hear } from '../../test/support/hear.ts';
import { countWordErrors } from '../../test/support/word-errors.ts';
import { medianPitchHz } from './pitch.ts';

export interface Speech {
  /** Mono, −1…1. */
  readonly samples: Float32Array;
  readonly sampleRate: number;
}

/** One voice over all sentences. */
export interface VoiceMeasurement {
  readonly medianF0Hz: number;
  /** Level of the parts that are not silent, in dB below a full-scale square wave. */
  readonly rmsDbfs: number;
  /** Word errors of the recogniser on the telephone band (8 kHz, G.711 mu-law). */
  readonly werPercent: number;
  readonly wordsPerMinute: number;
  /** What was heard of the sentences with errors. */
  readonly misheard: readonly string[];
}

/** A 20 ms frame more than this below the loudest is a pause. */
const PAUSE_DB = 35;

/** Speaks every reading with `speak`, sends it down a telephone line and measures what arrives. */
export async function measureVoice<Reading extends { readonly sentence: string }>(
  readings: readonly Reading[],
  speak: (reading: Reading) => Promise<Speech>,
): Promise<VoiceMeasurement> {
  const pitches: number[] = [];
  const misheard: string[] = [];
  let errors = 0;
  let words = 0;
  let activeSamples = 0;
  let activeEnergy = 0;
  let seconds = 0;
  for (const reading of readings) {
    const { samples, sampleRate } = await speak(reading);
    const heard = await hear(throughTelephone(samples, sampleRate));
    const count = countWordErrors(reading.sentence, heard);
    if (count.errors > 0) misheard.push(heard);
    errors += count.errors;
    words += count.words;
    pitches.push(medianPitchHz(samples, sampleRate));
    const active = activeParts(samples, sampleRate);
    activeSamples += active.samples;
    activeEnergy += active.energy;
    seconds += samples.length / sampleRate;
  }
  const middle = pitches.sort((one, other) => one - other)[Math.floor(pitches.length / 2)];
  return {
    medianF0Hz: Math.round(middle ?? Number.NaN),
    rmsDbfs: tenths(10 * Math.log10(activeEnergy / activeSamples)),
    werPercent: tenths((100 * errors) / words),
    wordsPerMinute: Math.round((60 * words) / seconds),
    misheard,
  };
}

function throughTelephone(samples: Float32Array, sampleRate: number): Uint8Array {
  const encoder = openEncoder(parseOutputFormat('ulaw_8000'), sampleRate);
  return Buffer.concat([encoder.encode(samples), encoder.flush()]);
}

function activeParts(samples: Float32Array, sampleRate: number) {
  const frame = Math.round(sampleRate / 50);
  const energies: number[] = [];
  for (let start = 0; start + frame <= samples.length; start += frame) {
    const part = samples.subarray(start, start + frame);
    energies.push(part.reduce((sum, sample) => sum + sample ** 2, 0));
  }
  const floor = Math.max(...energies) * 10 ** (-PAUSE_DB / 10);
  const active = energies.filter((energy) => energy > floor);
  return {
    samples: active.length * frame,
    energy: active.reduce((sum, energy) => sum + energy, 0),
  };
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
