import { Resampler } from '../../src/synthesis/audio/resampler.ts';

const RATE = 8000;
const FRAME = 320;
const HOP = 80;
const LOWEST_HZ = 60;
const HIGHEST_HZ = 400;

/** Below this share of the frame's own energy a peak is not a voice. */
const VOICED_CORRELATION = 0.6;
/** A multiple of the period correlates as well as the period; the shortest lag this near wins. */
const OCTAVE_TOLERANCE = 0.9;

/**
 * Median pitch of the voiced parts, in Hz, by normalised autocorrelation of 40 ms frames with
 * parabolic interpolation (Boersma 1993, without its path search: the median forgives stray frames).
 * @param samples mono, −1…1.
 * @returns NaN when nothing is voiced.
 */
export function medianPitchHz(samples: Float32Array, sampleRate: number): number {
  const resampler = new Resampler(sampleRate, RATE);
  const audio = Float32Array.from([...resampler.process(samples), ...resampler.flush()]);
  const floor = 0.1 * Math.max(...frameStarts(audio).map((start) => energy(audio, start, 0)));
  const pitches = frameStarts(audio)
    .filter((start) => energy(audio, start, 0) > floor)
    .map((start) => framePitchHz(audio, start))
    .filter((pitch) => pitch !== undefined)
    .sort((one, other) => one - other);
  return pitches[Math.floor(pitches.length / 2)] ?? Number.NaN;
}

function frameStarts(audio: Float32Array): number[] {
  const count = Math.floor((audio.length - FRAME - RATE / LOWEST_HZ - 2) / HOP);
  return Array.from({ length: Math.max(0, count) }, (_, index) => index * HOP);
}

function framePitchHz(audio: Float32Array, start: number): number | undefined {
  const shortest = Math.floor(RATE / HIGHEST_HZ);
  const longest = Math.ceil(RATE / LOWEST_HZ);
  const correlations: number[] = [];
  for (let lag = shortest - 1; lag <= longest + 1; lag += 1) {
    correlations.push(correlation(audio, start, lag));
  }
  const wanted = OCTAVE_TOLERANCE * Math.max(...correlations.slice(1, -1));
  if (wanted < OCTAVE_TOLERANCE * VOICED_CORRELATION) return undefined;
  for (let index = 1; index < correlations.length - 1; index += 1) {
    const [before = 0, here = 0, after = 0] = correlations.slice(index - 1, index + 2);
    if (here < wanted || here < before || here < after) continue;
    const bend = before - 2 * here + after;
    const shift = bend === 0 ? 0 : (0.5 * (before - after)) / bend;
    return RATE / (shortest - 1 + index + shift);
  }
  return undefined;
}

function correlation(audio: Float32Array, start: number, lag: number): number {
  let product = 0;
  for (let index = start; index < start + FRAME; index += 1) {
    product += (audio[index] ?? 0) * (audio[index + lag] ?? 0);
  }
  return product / Math.sqrt(energy(audio, start, 0) * energy(audio, start, lag) + 1e-12);
}

function energy(audio: Float32Array, start: number, lag: number): number {
  let sum = 0;
  for (let index = start + lag; index < start + lag + FRAME; index += 1) {
    sum += (audio[index] ?? 0) ** 2;
  }
  return sum;
}
