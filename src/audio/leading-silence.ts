/** Quieter than this is silence: voices begin with room tone around −60 dBFS. */
const SILENCE_AMPLITUDE = 10 ** (-45 / 20);
/** Kept before the first sound, so that a soft onset is not clipped. */
const PRE_ROLL_MS = 15;
/** Nothing beyond this is dropped, whatever it is. */
const MAX_TRIM_MS = 250;

/**
 * Drops the silence before the first sound of an utterance, all but a short pre-roll. Every
 * millisecond of it is heard as latency (LATENCY: audible onset).
 */
export class LeadingSilence {
  readonly #preRollSamples: number;
  readonly #maxTrimSamples: number;
  #isOver = false;
  #trimmedSamples = 0;

  constructor(sampleRate: number) {
    this.#preRollSamples = Math.round((PRE_ROLL_MS / 1000) * sampleRate);
    this.#maxTrimSamples = Math.round((MAX_TRIM_MS / 1000) * sampleRate);
  }

  /** Samples dropped so far. */
  get trimmedSamples(): number {
    return this.#trimmedSamples;
  }

  /** @returns what is left of the next block: nothing, a part of it, or once sound came, all of it. */
  trim(block: Float32Array): Float32Array {
    if (this.#isOver) return block;
    const onset = block.findIndex((sample) => Math.abs(sample) > SILENCE_AMPLITUDE);
    const room = this.#maxTrimSamples - this.#trimmedSamples;
    const silent = onset === -1 ? block.length : Math.max(0, onset - this.#preRollSamples);
    const dropped = Math.min(silent, room);
    this.#isOver = onset !== -1 || dropped === room;
    this.#trimmedSamples += dropped;
    return block.subarray(dropped);
  }
}
