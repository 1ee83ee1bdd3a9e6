import type {
  Engine,
  EnginePlace,
  SynthesisEvent,
  SynthesisRequest,
} from '../../src/synthesis/engine/engine.ts';

const SAMPLE_RATE = 22_050;
/** Long enough that {@link readTones} hears each symbol; 46 ms. */
const SAMPLES_PER_SYMBOL = 1_024;
const SYMBOLS_PER_BLOCK = 4;
const LOWEST_HZ = 200;
const STEP_HZ = 20;
/** Code points beyond ASCII share the pitches of ASCII. */
const PITCHES = 128;

/**
 * An engine without a model, for tests of what surrounds the engine: every symbol is a short tone
 * whose pitch is the symbol's own, so that which text was spoken, and in what order, can be heard.
 */
export class ToneEngine implements Engine {
  /** Symbols whose tone has been handed out, in order. */
  readonly spoken: string[] = [];
  readonly #failOn: string | undefined;
  readonly #samplesPerSymbol: number;
  liveJobs = 0;
  /** Beginnings that were let in, and have neither begun nor been given up. */
  readonly reserved = new Set<EnginePlace>();
  #held: Promise<void> | undefined;
  #release: (() => void) | undefined;

  /** @param options `samplesPerSymbol`: fewer are made faster, and cannot be told apart. */
  constructor(options: { failOn?: string; samplesPerSymbol?: number } = {}) {
    this.#failOn = options.failOn;
    this.#samplesPerSymbol = options.samplesPerSymbol ?? SAMPLES_PER_SYMBOL;
  }

  reserve(): EnginePlace {
    const place = { release: () => void this.reserved.delete(place) };
    this.reserved.add(place);
    return place;
  }

  async *synthesise(
    { symbols, place }: SynthesisRequest,
    signal: AbortSignal,
  ): AsyncGenerator<SynthesisEvent> {
    this.liveJobs++;
    place?.release();
    try {
      signal.throwIfAborted();
      yield {
        type: 'timing',
        sampleRate: SAMPLE_RATE,
        totalSamples: symbols.length * this.#samplesPerSymbol,
        symbolSamples: symbols.map(() => this.#samplesPerSymbol),
      };
      for (let first = 0; first < symbols.length; first += SYMBOLS_PER_BLOCK) {
        const block = symbols.slice(first, first + SYMBOLS_PER_BLOCK);
        await this.#turn(signal);
        if (this.#failOn !== undefined && block.includes(this.#failOn)) {
          throw new Error(`The tone engine was told to fail on "${this.#failOn}".`);
        }
        this.spoken.push(...block);
        yield { type: 'block', samples: tones(block, this.#samplesPerSymbol) };
      }
      yield { type: 'end', timings: { queueMs: 0, textMs: 0, firstBlockMs: 0, synthMs: 0 } };
    } finally {
      this.liveJobs--;
    }
  }

  /** Makes every job wait before its next block, as on a machine that is busy with others. */
  hold(): void {
    this.#held ??= new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  release(): void {
    this.#held = undefined;
    this.#release?.();
  }

  async #turn(signal: AbortSignal): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#held) await Promise.race([this.#held, aborted(signal)]);
    signal.throwIfAborted();
  }

  load(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function tones(symbols: readonly string[], samplesPerSymbol: number): Float32Array {
  const samples = new Float32Array(symbols.length * samplesPerSymbol);
  for (const [index, symbol] of symbols.entries()) {
    const frequency = LOWEST_HZ + ((symbol.codePointAt(0) ?? 0) % PITCHES) * STEP_HZ;
    for (let sample = 0; sample < samplesPerSymbol; sample++) {
      samples[index * samplesPerSymbol + sample] =
        0.3 * Math.sin((2 * Math.PI * frequency * sample) / SAMPLE_RATE);
    }
  }
  return samples;
}

/** @returns the ASCII text that `pcm_22050` audio of this engine says, from the pitch of each tone. */
export function readTones(audio: Uint8Array): string {
  const bytes = Buffer.from(audio);
  const samples = Array.from({ length: bytes.length / 2 }, (_, index) =>
    bytes.readInt16LE(index * 2),
  );
  let said = '';
  for (let start = 0; start < samples.length; start += SAMPLES_PER_SYMBOL) {
    const frequency = pitch(samples.slice(start, start + SAMPLES_PER_SYMBOL));
    said += String.fromCharCode(Math.round((frequency - LOWEST_HZ) / STEP_HZ));
  }
  return said;
}

/** A sine of angular frequency w obeys x[n−1] + x[n+1] = 2 cos(w) x[n]; w is fitted to all samples. */
function pitch(samples: readonly number[]): number {
  let products = 0;
  let squares = 0;
  for (let index = 1; index + 1 < samples.length; index++) {
    const [before = 0, sample = 0, after = 0] = samples.slice(index - 1, index + 2);
    products += sample * (before + after);
    squares += 2 * sample * sample;
  }
  return (Math.acos(products / squares) * SAMPLE_RATE) / (2 * Math.PI);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
