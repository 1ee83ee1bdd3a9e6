import type { Engine } from '../../src/synthesis/engine/engine.ts';
import { WINDOW_SCHEDULES } from '../../src/synthesis/engine/engine.ts';
import type { Phonemiser } from '../../src/synthesis/text/phonemiser.ts';
import type { Speech } from './measurement.ts';

/** The service's own front end and engine, without the socket between. */
export interface SpeechParts {
  readonly phonemiser: Phonemiser;
  readonly engine: Engine;
}

interface Reading {
  readonly sentence: string;
  readonly modelFile: string;
  readonly speaker: number;
  /** The phonemiser's name for the language. */
  readonly phonemeLanguage: string;
  readonly seed: number;
}

/** Speaks a sentence with one speaker, in the voice's own delivery. */
export async function speakSentence(parts: SpeechParts, reading: Reading): Promise<Speech> {
  const { sentence, phonemeLanguage, modelFile, speaker, seed } = reading;
  const { signal } = new AbortController();
  const { symbols } = await parts.phonemiser.pronounce(sentence, phonemeLanguage, signal);
  const events = parts.engine.synthesise(
    {
      ...{ modelFile, speaker, symbols, seed },
      prosody: { variation: 1, rhythm: 1, pace: 1 },
      accountId: 'bench',
      windows: WINDOW_SCHEDULES.eager,
      deadline: () => Number.POSITIVE_INFINITY,
    },
    signal,
  );
  let samples = new Float32Array(0);
  let sampleRate = 0;
  let filled = 0;
  for await (const event of events) {
    if (event.type === 'timing') {
      samples = new Float32Array(event.totalSamples);
      sampleRate = event.sampleRate;
    } else if (event.type === 'block') {
      samples.set(event.samples, filled);
      filled += event.samples.length;
    }
  }
  return { samples, sampleRate };
}
