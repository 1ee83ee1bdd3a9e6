/** Level of silence, where a logarithm would be −∞. */
const FLOOR_DB = -200;

/** RMS level in dB relative to a constant ±1: a full-scale sine reads −3.01. */
export function rmsDbfs(samples: ArrayLike<number>): number {
  return decibels(Math.sqrt(energy(samples) / Math.max(1, samples.length)));
}

/** How far the difference between two signals of equal length lies below the reference. */
export function snrDb(reference: ArrayLike<number>, candidate: ArrayLike<number>): number {
  if (reference.length !== candidate.length) {
    throw new RangeError(`${reference.length} samples compared with ${candidate.length}.`);
  }
  const difference = Float64Array.from(
    { length: reference.length },
    (_, index) => at(reference, index) - at(candidate, index),
  );
  return rmsDbfs(reference) - rmsDbfs(difference);
}

/** Amplitude of one tone in dB relative to 1, under a window whose side lobes lie below −90 dB. */
export function toneLevelDb(samples: ArrayLike<number>, rate: number, frequency: number): number {
  const { windowed, gain } = nuttall(samples);
  let real = 0;
  let imaginary = 0;
  for (let index = 0; index < windowed.length; index++) {
    const angle = (2 * Math.PI * frequency * index) / rate;
    real += at(windowed, index) * Math.cos(angle);
    imaginary += at(windowed, index) * Math.sin(angle);
  }
  return decibels((2 * Math.hypot(real, imaginary)) / gain);
}

/** The strongest frequency of a signal, to the nearest `stepHz`, and its level. */
export function spectrumPeak(
  samples: ArrayLike<number>,
  rate: number,
  stepHz: number,
): { frequency: number; levelDb: number } {
  let peak = { frequency: 0, levelDb: FLOOR_DB };
  for (let frequency = stepHz; frequency < rate / 2; frequency += stepHz) {
    const levelDb = toneLevelDb(samples, rate, frequency);
    if (levelDb > peak.levelDb) peak = { frequency, levelDb };
  }
  return peak;
}

/**
 * How much of an outlier the step into sample `joint` is: its size over the largest step among the
 * 64 on either side. Continuous audio gives about 1 or less, a click several. Steps under one unit
 * of 16-bit PCM count as one, so that silence is no ground for alarm.
 */
export function jointOutlier(samples: ArrayLike<number>, joint: number): number {
  const stepInto = (index: number) => Math.abs(at(samples, index) - at(samples, index - 1));
  let largest = 1 / 32768;
  const last = Math.min(samples.length - 1, joint + 64);
  for (let index = Math.max(1, joint - 64); index <= last; index++) {
    if (index !== joint) largest = Math.max(largest, stepInto(index));
  }
  return stepInto(joint) / largest;
}

/** A sine of the given amplitude, sampled at `rate`, starting at phase 0. */
export function sine(
  frequency: number,
  rate: number,
  length: number,
  amplitude = 0.5,
): Float32Array {
  return Float32Array.from(
    { length },
    (_, index) => amplitude * Math.sin((2 * Math.PI * frequency * index) / rate),
  );
}

/** Nuttall's four-term window with continuous first derivative (1981), and the sum of its values. */
function nuttall(samples: ArrayLike<number>): {
  windowed: Float64Array;
  gain: number;
} {
  let gain = 0;
  const windowed = Float64Array.from({ length: samples.length }, (_, index) => {
    const turn = (2 * Math.PI * (index + 0.5)) / samples.length;
    const weight =
      0.355768 -
      0.487396 * Math.cos(turn) +
      0.144232 * Math.cos(2 * turn) -
      0.012604 * Math.cos(3 * turn);
    gain += weight;
    return weight * at(samples, index);
  });
  return { windowed, gain };
}

function decibels(amplitude: number): number {
  return amplitude === 0 ? FLOOR_DB : 20 * Math.log10(amplitude);
}

function energy(samples: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < samples.length; index++) sum += at(samples, index) ** 2;
  return sum;
}

function at(samples: ArrayLike<number>, index: number): number {
  return samples[index] as number;
}
