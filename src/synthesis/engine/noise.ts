const GOLDEN_RATIO = 0x9e3779b9;
const TO_UNIT = 2 ** -32;

/** Separates noises of one seed that must have nothing in common. */
export type NoiseStream = 'latent' | 'durations';

const STREAM_KEYS: Readonly<Record<NoiseStream, number>> = {
  latent: 0x51de70e1,
  durations: 0x2b1eda7e,
};

/**
 * Fills `values` with standard normal noise that belongs to one frame of one seed. The noise is a
 * function of (seed, stream, frame, index), so any stretch of it can be made without what is before.
 * A frame's own splitmix32 sequence (Steele et al., "Fast Splittable Pseudorandom Number
 * Generators", 2014; 32-bit mixer by C. Wellons, "lowbias32") feeds the Box–Muller transform.
 *
 * @param seed 32-bit unsigned.
 */
export function fillFrameNoise(
  values: Float32Array,
  seed: number,
  stream: NoiseStream,
  frame: number,
): void {
  const key = mix(mix(seed ^ STREAM_KEYS[stream]) + Math.imul(frame, GOLDEN_RATIO));
  for (let i = 0; i < values.length; i += 2) {
    const first = mix(key + Math.imul(i + 1, GOLDEN_RATIO));
    const second = mix(key + Math.imul(i + 2, GOLDEN_RATIO));
    // Half a step off zero, whose logarithm is infinite.
    const radius = Math.sqrt(-2 * Math.log((first + 0.5) * TO_UNIT));
    const angle = 2 * Math.PI * second * TO_UNIT;
    values[i] = radius * Math.cos(angle);
    if (i + 1 < values.length) values[i + 1] = radius * Math.sin(angle);
  }
}

function mix(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
  return (bits ^ (bits >>> 15)) >>> 0;
}
