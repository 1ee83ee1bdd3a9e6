/** Where samples begin to be rounded off, so that what is louder than full scale is not clipped. */
const KNEE = 0.8;

/**
 * A copy of the samples, louder or quieter; peaks above the knee are bent towards full scale and never pass
 * it.
 */
export function withGain(samples: Float32Array, gain: number): Float32Array {
  return samples.map((sample) => {
    const louder = sample * gain;
    const excess = Math.abs(louder) - KNEE;
    if (excess <= 0) return louder;
    const bent = KNEE + (1 - KNEE) * Math.tanh(excess / (1 - KNEE));
    return louder < 0 ? -bent : bent;
  });
}
