import { type ResamplingFilter, resamplingFilter } from './resampling-filter.ts';

/**
 * Changes the sample rate of one stream of audio that arrives in blocks.
 *
 * Output sample k lies at the instant of input sample k · inputRate / outputRate: the filter's delay
 * is compensated, at the price of holding back the last half filter length (5 ms for 22 050 → 8000)
 * until more input or `flush` comes. How the input was cut into blocks changes no bit of the output.
 */
export class Resampler {
  readonly #inputRate: number;
  readonly #outputRate: number;
  readonly #filter: ResamplingFilter | undefined;
  /** Input that later output still needs, its first sample at time `#windowStart`. */
  #window = new Float32Array(0);
  #windowStart = 0;
  #windowLength = 0;
  #inputCount = 0;
  #outputCount = 0;

  /**
   * @param inputRate samples per second.
   * @param outputRate samples per second.
   * @throws RangeError when a rate is not a positive integer.
   */
  constructor(inputRate: number, outputRate: number) {
    for (const rate of [inputRate, outputRate]) {
      if (!Number.isInteger(rate) || rate <= 0) {
        throw new RangeError(`A sample rate must be a positive integer, not ${rate}.`);
      }
    }
    this.#inputRate = inputRate;
    this.#outputRate = outputRate;
    this.#filter = inputRate === outputRate ? undefined : resamplingFilter(inputRate, outputRate);
    this.#reset();
  }

  /**
   * @param block the next samples of the input, any number; not kept. With equal rates it is
   * returned itself.
   * @returns the output samples that are certain now, often fewer than the block is worth.
   */
  process(block: Float32Array): Float32Array {
    if (!this.#filter) return block;
    this.#append(block);
    this.#inputCount += block.length;
    const certainInput = Math.max(0, this.#inputCount - this.#filter.taps / 2);
    return this.#produce(
      this.#filter,
      Math.ceil((certainInput * this.#outputRate) / this.#inputRate),
    );
  }

  /**
   * Ends the stream: what was held back comes out, as if silence followed, and makes the total
   * `round(input samples · outputRate / inputRate)`. The resampler is then as new, for another stream.
   */
  flush(): Float32Array {
    if (!this.#filter) return new Float32Array(0);
    const total = Math.round((this.#inputCount * this.#outputRate) / this.#inputRate);
    this.#append(new Float32Array(this.#filter.taps));
    const tail = this.#produce(this.#filter, total);
    this.#reset();
    return tail;
  }

  /** The stream starts as if silence came before it, so that the first output has a whole filter. */
  #reset(): void {
    const silenceBefore = this.#filter ? this.#filter.taps / 2 - 1 : 0;
    this.#windowStart = -silenceBefore;
    this.#windowLength = 0;
    this.#inputCount = 0;
    this.#outputCount = 0;
    this.#append(new Float32Array(silenceBefore));
  }

  #append(block: Float32Array): void {
    const needed = this.#windowLength + block.length;
    if (needed > this.#window.length) {
      const grown = new Float32Array(2 * needed);
      grown.set(this.#window.subarray(0, this.#windowLength));
      this.#window = grown;
    }
    this.#window.set(block, this.#windowLength);
    this.#windowLength = needed;
  }

  /** Computes output samples until there have been `total`, then forgets input that none needs. */
  #produce(filter: ResamplingFilter, total: number): Float32Array {
    const { up, down, taps } = filter;
    const output = new Float32Array(Math.max(0, total - this.#outputCount));
    const position = this.#outputCount * down;
    let phase = position % up;
    let start = (position - phase) / up - taps / 2 + 1 - this.#windowStart;
    for (let index = 0; index < output.length; index++) {
      output[index] = convolve(this.#window, start, filter, phase);
      phase += down;
      while (phase >= up) {
        phase -= up;
        start++;
      }
    }
    this.#outputCount += output.length;
    this.#window.copyWithin(0, start, this.#windowLength);
    this.#windowStart += start;
    this.#windowLength -= start;
    return output;
  }
}

/** Four sums, because one would wait for the addition before it: twice as fast, measured. */
function convolve(
  input: Float32Array,
  start: number,
  { coefficients, taps }: ResamplingFilter,
  phase: number,
): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const first = phase * taps;
  for (let tap = 0; tap < taps; tap += 4) {
    const at = start + tap;
    const from = first + tap;
    a += (input[at] as number) * (coefficients[from] as number);
    b += (input[at + 1] as number) * (coefficients[from + 1] as number);
    c += (input[at + 2] as number) * (coefficients[from + 2] as number);
    d += (input[at + 3] as number) * (coefficients[from + 3] as number);
  }
  return a + b + (c + d);
}
