import type { VoiceMeasurement } from './measurement.ts';

/** A speaker of the screening table: `candidates.csv`. */
export interface Candidate {
  readonly speaker: number;
  /** The reader's number in LibriVox, LibriSpeech and LibriTTS. */
  readonly reader: number;
  /** As LibriSpeech's SPEAKERS.TXT records it. */
  readonly gender: 'female' | 'male';
  /** Naturalness, 1–5, as NISQA-TTS predicts it. */
  readonly nisqa: number;
}

export type MeasuredCandidate = Candidate & Omit<VoiceMeasurement, 'misheard'>;

/** What a percent of misheard words is worth in points of naturalness. */
const POINTS_PER_PERCENT = 0.1;
/** What sounding just like a voice that is chosen already costs. */
const SAMENESS_POINTS = 0.4;
/** A voice this far away, in semitones or in percent of tempo, is another voice. */
const DISTINCT_SEMITONES = 3;
const DISTINCT_TEMPO_PERCENT = 15;

/** A voice that a telephone listener misunderstands more often than this is out. */
const HIGHEST_WER_PERCENT = 3.5;
/** Pitch that listeners expect of the recorded gender; readers beyond it surprise a caller. */
const EXPECTED_HZ = { female: [165, 300], male: [60, 175] } as const;

/**
 * Takes the best voices one after the other, each time the one that is natural, understood and
 * unlike those before it in pitch and tempo.
 */
export function chooseVoices<Voice extends MeasuredCandidate>(
  measured: readonly Voice[],
  count: number,
): Voice[] {
  const chosen: Voice[] = [];
  const left = new Set(measured.filter(isFit));
  while (chosen.length < count && left.size > 0) {
    const [best] = [...left].sort((one, other) => worth(other, chosen) - worth(one, chosen));
    if (!best) break;
    chosen.push(best);
    left.delete(best);
  }
  return chosen;
}

function isFit(voice: MeasuredCandidate): boolean {
  const [lowest, highest] = EXPECTED_HZ[voice.gender];
  const expected = voice.medianF0Hz >= lowest && voice.medianF0Hz <= highest;
  return expected && voice.werPercent <= HIGHEST_WER_PERCENT;
}

function worth(voice: MeasuredCandidate, chosen: readonly MeasuredCandidate[]): number {
  const quality = voice.nisqa - POINTS_PER_PERCENT * voice.werPercent;
  const nearest = Math.min(1, ...chosen.map((other) => distance(voice, other)));
  return quality - SAMENESS_POINTS * (1 - nearest);
}

function distance(one: MeasuredCandidate, other: MeasuredCandidate): number {
  const semitones = 12 * Math.log2(one.medianF0Hz / other.medianF0Hz);
  const tempoPercent = 100 * (one.wordsPerMinute / other.wordsPerMinute - 1);
  return Math.hypot(semitones / DISTINCT_SEMITONES, tempoPercent / DISTINCT_TEMPO_PERCENT);
}
