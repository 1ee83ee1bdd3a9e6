/** Image and alias rejection, in decibels. 16-bit audio has 98 dB of range, so nothing is heard. */
const STOPBAND_DB = 100;
/** Everything up to this share of the lower Nyquist frequency passes; everything above 1 is stopped. */
const PASSBAND = 0.86;

/** A low-pass filter cut into the phases that a rational rate change steps through. */
export interface ResamplingFilter {
  /** Output samples per `down` input samples, in lowest terms. */
  readonly up: number;
  readonly down: number;
  /** Coefficients per phase, a multiple of four; half of them lie before the output instant. */
  readonly taps: number;
  /** `up` phases of `taps` coefficients each, one phase after the other. */
  readonly coefficients: Float32Array;
}

const filters = new Map<string, ResamplingFilter>();

/**
 * The filter for a pair of rates, designed once per process.
 *
 * @param inputRate samples per second, a positive integer.
 * @param outputRate samples per second, a positive integer.
 */
export function resamplingFilter(inputRate: number, outputRate: number): ResamplingFilter {
  const key = `${inputRate}:${outputRate}`;
  const known = filters.get(key);
  if (known) return known;
  const filter = designFilter(inputRate, outputRate);
  filters.set(key, filter);
  return filter;
}

/**
 * A windowed sinc: J. F. Kaiser, "Nonrecursive digital filter design using the I0-sinh window
 * function" (1974), with his formulae for the window's shape and length; split into phases after
 * Crochiere and Rabiner, "Multirate Digital Signal Processing" (1983), §3.3.
 */
function designFilter(inputRate: number, outputRate: number): ResamplingFilter {
  const divisor = greatestCommonDivisor(inputRate, outputRate);
  const up = outputRate / divisor;
  const down = inputRate / divisor;
  // Frequencies below are in cycles per input sample, times in input samples.
  const lowerNyquist = Math.min(inputRate, outputRate) / 2 / inputRate;
  const transition = lowerNyquist * (1 - PASSBAND);
  const cutoff = (lowerNyquist * (1 + PASSBAND)) / 2;
  const length = (STOPBAND_DB - 7.95) / (14.36 * transition);
  const taps = 4 * Math.ceil((length + 1) / 4);
  const halfWidth = taps / 2;
  const beta = 0.1102 * (STOPBAND_DB - 8.7);
  const coefficients = new Float32Array(up * taps);
  const phaseTaps = new Float64Array(taps);
  for (let phase = 0; phase < up; phase++) {
    let gain = 0;
    for (let tap = 0; tap < taps; tap++) {
      const time = tap - halfWidth + 1 - phase / up;
      const coefficient = sinc(2 * cutoff * time) * kaiser(time / halfWidth, beta);
      phaseTaps[tap] = coefficient;
      gain += coefficient;
    }
    // Unit gain at DC in every phase, so that a constant stays exactly constant.
    for (let tap = 0; tap < taps; tap++) {
      coefficients[phase * taps + tap] = (phaseTaps[tap] as number) / gain;
    }
  }
  return { up, down, taps, coefficients };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** The Kaiser window at `x`, which is −1…1 inside it. */
function kaiser(x: number, beta: number): number {
  return besselI0(beta * Math.sqrt(Math.max(0, 1 - x * x))) / besselI0(beta);
}

/** Modified Bessel function of the first kind, order 0, by its power series. */
function besselI0(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * Number.EPSILON; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
