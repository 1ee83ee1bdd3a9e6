import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import {
  type Encoding,
  expandDurations,
  noisyLatent,
  readStretch,
  sharedCounts,
  sharedFloats,
  writeStretch,
} from './encoding.ts';
import { fillFrameNoise } from './noise.ts';
import type { StageFacts } from './piper-stages.ts';
import { placeWindow, type Stretch, type WindowPlace, widen } from './windows.ts';

/** What the text stage reads. */
export interface TextRequest {
  readonly ids: readonly number[];
  readonly speaker: number;
  /** 32-bit unsigned. */
  readonly seed: number;
  readonly noiseScale: number;
  readonly lengthScale: number;
  /** Noise of the durations. */
  readonly noiseW: number;
}

type Feeds = Record<string, Tensor>;

/**
 * One core for each thread: more would fight the other threads for the same cores, and spinning
 * would burn them. Windows differ in shape, so patterns of past runs do not pay for their memory.
 */
const SESSION_OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  enableMemPattern: false,
  // What goes wrong is thrown as well.
  logSeverityLevel: 4,
  extra: { session: { intra_op: { allow_spinning: '0' } } },
};

/** The three stages of one voice, loaded in this thread. Each method is a pure function. */
export class StageRunner {
  readonly #facts: StageFacts;
  readonly #text: InferenceSession;
  readonly #flow: InferenceSession;
  readonly #decoder: InferenceSession;

  private constructor(
    facts: StageFacts,
    sessions: readonly [InferenceSession, InferenceSession, InferenceSession],
  ) {
    this.#facts = facts;
    [this.#text, this.#flow, this.#decoder] = sessions;
  }

  /** @param directory that holds `text.onnx`, `flow.onnx` and `decoder.onnx`. */
  static async open(directory: string, facts: StageFacts): Promise<StageRunner> {
    const open = (name: string) =>
      InferenceSession.create(join(directory, `${name}.onnx`), SESSION_OPTIONS);
    return new StageRunner(facts, [await open('text'), await open('flow'), await open('decoder')]);
  }

  /** Finds out what the chunk sounds like before noise, and how long each phoneme lasts. */
  async text(request: TextRequest): Promise<Encoding> {
    const { channels, hasDurationNoise, hasSpeakers } = this.#facts;
    const { ids, noiseScale, lengthScale, noiseW, seed } = request;
    const result = await this.#text.run({
      input: wholes([1, ids.length], ids),
      scales: floats([3], Float32Array.of(noiseScale, lengthScale, noiseW)),
      ...(hasSpeakers && { sid: wholes([1], [request.speaker]) }),
      ...(hasDurationNoise && {
        duration_noise: durationNoise(seed, ids.length),
      }),
    });
    const durations = data(result, 'durations');
    const phonemeOfFrame = expandDurations(durations);
    const names = [...this.#facts.flow.conditions, ...this.#facts.decoder.conditions];
    return {
      channels,
      frames: phonemeOfFrame.length,
      mean: sharedFloats(data(result, 'mean')),
      deviation: sharedFloats(data(result, 'log_deviation').map(Math.exp)),
      durations: sharedCounts(durations),
      phonemeOfFrame: sharedCounts(phonemeOfFrame),
      conditions: Object.fromEntries(names.map((name) => [name, sharedFloats(data(result, name))])),
      latent: sharedFloats(channels * phonemeOfFrame.length),
      seed,
      noiseScale,
    };
  }

  /**
   * Computes one window of audio. The windows before it must have been computed, by any thread.
   * @returns mono PCM, −1…1, `hopLength` samples a frame.
   */
  async window(encoding: Encoding, window: Stretch): Promise<Float32Array> {
    const { hopLength, decoder } = this.#facts;
    const { frames, channels } = encoding;
    await this.#fillLatent(encoding, window);
    const place = placeWindow(window, frames, decoder, hopLength);
    const latent = readStretch(encoding.latent, channels, place.input);
    const result = await this.#decoder.run({
      latent: floats([1, channels, latent.length / channels], latent),
      ...conditionFeeds(encoding, decoder.conditions),
      ...cropFeeds(place),
    });
    const length = (window.to - window.from) * hopLength;
    return data(result, 'audio').slice(place.lead, place.lead + length);
  }

  async close(): Promise<void> {
    for (const session of [this.#text, this.#flow, this.#decoder]) await session.release();
  }

  /** Runs the flow for the frames that the decoder needs and earlier windows did not leave behind. */
  async #fillLatent(encoding: Encoding, window: Stretch): Promise<void> {
    const { flow, decoder } = this.#facts;
    const { frames, channels } = encoding;
    const needed = widen(window, decoder.halo, frames);
    const from = window.from === 0 ? 0 : Math.min(frames, window.from + decoder.halo);
    const missing = { from, to: needed.to };
    if (missing.from >= missing.to) return;
    const place = placeWindow(missing, frames, flow, 1);
    const noisy = noisyLatent(encoding, place.input);
    const result = await this.#flow.run({
      noisy: floats([1, channels, noisy.length / channels], noisy),
      ...conditionFeeds(encoding, flow.conditions),
      ...cropFeeds(place),
    });
    writeStretch(encoding.latent, channels, missing, data(result, 'latent'), place.lead);
  }
}

function floats(dims: readonly number[], values: Float32Array): Tensor {
  return new Tensor('float32', values, dims);
}

function wholes(dims: readonly number[], values: readonly number[]): Tensor {
  return new Tensor('int64', BigInt64Array.from(values, BigInt), dims);
}

function data(result: InferenceSession.OnnxValueMapType, name: string): Float32Array {
  return result[name]?.data as Float32Array;
}

function durationNoise(seed: number, phonemes: number): Tensor {
  const noise = new Float32Array(2 * phonemes);
  const pair = new Float32Array(2);
  for (let phoneme = 0; phoneme < phonemes; phoneme++) {
    fillFrameNoise(pair, seed, 'durations', phoneme);
    noise[phoneme] = pair[0] ?? 0;
    noise[phonemes + phoneme] = pair[1] ?? 0;
  }
  return floats([1, 2, phonemes], noise);
}

function conditionFeeds({ conditions }: Encoding, names: readonly string[]): Feeds {
  return Object.fromEntries(
    names.map((name) => {
      // Copied, because the runtime does not take shared memory.
      const values = conditions[name]?.slice() ?? new Float32Array();
      return [name, floats([1, values.length, 1], values)];
    }),
  );
}

function cropFeeds({ crops }: WindowPlace): Feeds {
  return Object.fromEntries(
    crops.flatMap(({ from, to }, i) => [
      [`crop_${i}_start`, wholes([1], [from])],
      [`crop_${i}_end`, wholes([1], [to])],
    ]),
  );
}
