/** Quieter than this is silence: voices begin with room tone, and often a faint intake of breath. */
const SILENCE_RMS = 10 ** (-40 / 20);
/** Over which loudness is taken. */
const HOP_MS = 5;
/** Kept before the first sound, so that a soft consonant is not clipped. */
const PRE_ROLL_MS = 25;
/** Nothing beyond this is dropped, whatever it is. */
const MAX_TRIM_MS = 250;

/**
 * Drops the silence before the first sound of an utterance, all but a short pre-roll. Every
 * millisecond of it is heard as latency (LATENCY: audible onset).
 */
export class LeadingSilence {
  readonly #hopSamples: number;
  readonly #preRollSamples: number;
  readonly #maxTrimSamples: number;
  /** Silence that may yet be the pre-roll. */
  #held = new Float32Array(0);
  #isOver = false;
  #trimmedSamples = 0;

  constructor(sampleRate: number) {
    const samplesOf = (milliseconds: number) => Math.round((milliseconds / 1000) * sampleRate);
    this.#hopSamples = samplesOf(HOP_MS);
    this.#preRollSamples = samplesOf(PRE_ROLL_MS);
    this.#maxTrimSamples = samplesOf(MAX_TRIM_MS);
  }

  /** Samples dropped so far. */
  get trimmedSamples(): number {
    return this.#trimmedSamples;
  }

  /** @returns what may be heard of the audio so far: nothing while it is silent, then all of it. */
  trim(block: Float32Array): Float32Array {
    if (this.#isOver) return block;
    const samples = joined(this.#held, block);
    const onset = this.#onset(samples);
    const silent = onset === -1 ? samples.length : onset;
    const room = this.#maxTrimSamples - this.#trimmedSamples;
    const dropped = Math.min(Math.max(0, silent - this.#preRollSamples), room);
    this.#isOver = onset !== -1 || dropped === room;
    this.#trimmedSamples += dropped;
    const rest = samples.slice(dropped);
    this.#held = this.#isOver ? new Float32Array(0) : rest;
    return this.#isOver ? rest : new Float32Array(0);
  }

  /** What was held back, when the utterance ends before any sound. */
  flush(): Float32Array {
    const held = this.#held;
    this.#held = new Float32Array(0);
    this.#isOver = true;
    return held;
  }

  /** Where the first hop that is no silence begins; −1 when there is none. */
  #onset(samples: Float32Array): number {
    for (let start = 0; start < samples.length; start += this.#hopSamples) {
      const hop = samples.subarray(start, start + this.#hopSamples);
      const energy = hop.reduce((sum, sample) => sum + sample * sample, 0);
      if (Math.sqrt(energy / hop.length) > SILENCE_RMS) return start;
    }
    return -1;
  }
}

function joined(first: Float32Array, second: Float32Array): Float32Array {
  if (first.length === 0) return second;
  const both = new Float32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
