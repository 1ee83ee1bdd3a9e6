import type { Engine, SynthesisEvent, SynthesisRequest } from '../../src/engine/engine.ts';

const SAMPLE_RATE = 22_050;
const SAMPLES_PER_SYMBOL = 1_024;
const SYMBOLS_PER_BLOCK = 4;

/**
 * An engine without a model, for tests of what surrounds the engine: every symbol is a short tone
 * whose pitch is the symbol's own, so that which text was spoken, and in what order, can be heard.
 */
export class ToneEngine implements Engine {
  /** Symbols whose tone has been handed out, in order. */
  readonly spoken: string[] = [];
  readonly #failOn: string | undefined;
  liveJobs = 0;

  constructor(options: { failOn?: string } = {}) {
    this.#failOn = options.failOn;
  }

  async *synthesise(
    { symbols }: SynthesisRequest,
    signal: AbortSignal,
  ): AsyncGenerator<SynthesisEvent> {
    this.liveJobs++;
    try {
      signal.throwIfAborted();
      yield {
        type: 'timing',
        sampleRate: SAMPLE_RATE,
        totalSamples: symbols.length * SAMPLES_PER_SYMBOL,
        symbolSamples: symbols.map(() => SAMPLES_PER_SYMBOL),
      };
      for (let first = 0; first < symbols.length; first += SYMBOLS_PER_BLOCK) {
        const block = symbols.slice(first, first + SYMBOLS_PER_BLOCK);
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
        if (this.#failOn !== undefined && block.includes(this.#failOn)) {
          throw new Error(`The tone engine was told to fail on "${this.#failOn}".`);
        }
        this.spoken.push(...block);
        yield { type: 'block', samples: tones(block) };
      }
      yield { type: 'end', timings: { queueMs: 0, textMs: 0, firstBlockMs: 0, synthMs: 0 } };
    } finally {
      this.liveJobs--;
    }
  }

  load(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function tones(symbols: readonly string[]): Float32Array {
  const samples = new Float32Array(symbols.length * SAMPLES_PER_SYMBOL);
  for (const [index, symbol] of symbols.entries()) {
    const frequency = 200 + ((symbol.codePointAt(0) ?? 0) % 128) * 20;
    for (let sample = 0; sample < SAMPLES_PER_SYMBOL; sample++) {
      samples[index * SAMPLES_PER_SYMBOL + sample] =
        0.3 * Math.sin((2 * Math.PI * frequency * sample) / SAMPLE_RATE);
    }
  }
  return samples;
}
