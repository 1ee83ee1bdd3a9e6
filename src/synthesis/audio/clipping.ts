/**
 * Samples made safe for codecs that compute with their neighbours, where one bad value would spoil a
 * whole frame: beyond ±1 is clipped, not a number is silence.
 *
 * @returns the samples themselves when there is nothing to do, which is nearly always.
 */
export function clipped(samples: Float32Array): Float32Array {
  if (samples.every((sample) => sample >= -1 && sample <= 1)) return samples;
  return samples.map((sample) => (sample > 1 ? 1 : sample < -1 ? -1 : sample || 0));
}
