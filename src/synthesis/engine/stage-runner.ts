import { join } from 'node:path';
import { InferenceSession, type Tensor } from 'onnxruntime-node';
import type { StageFacts } from '../graph/piper-stages.ts';
import {
  type Encoding,
  expandDurations,
  readStretch,
  sharedCounts,
  sharedFloats,
} from './encoding.ts';
import { FlowRunner } from './flow-runner.ts';
import { fillFrameNoise } from './noise.ts';
import { conditionFeeds, type Feeds, floats, tensorData, wholes } from './tensors.ts';
import { type FrameRange, placeWindow, type WindowPlace } from './windows.ts';

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
  readonly #flow: FlowRunner;
  readonly #decoder: InferenceSession;

  private constructor(
    facts: StageFacts,
    sessions: readonly [InferenceSession, InferenceSession, InferenceSession],
  ) {
    this.#facts = facts;
    const [text, flow, decoder] = sessions;
    this.#text = text;
    this.#flow = new FlowRunner(facts.flow, flow);
    this.#decoder = decoder;
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
    const durations = tensorData(result, 'durations');
    const phonemeOfFrame = expandDurations(durations);
    const names = [...this.#facts.flow.conditions, ...this.#facts.decoder.conditions];
    return {
      channels,
      frames: phonemeOfFrame.length,
      mean: sharedFloats(tensorData(result, 'mean')),
      deviation: sharedFloats(tensorData(result, 'log_deviation').map(Math.exp)),
      durations: sharedCounts(durations),
      phonemeOfFrame: sharedCounts(phonemeOfFrame),
      conditions: Object.fromEntries(
        names.map((name) => [name, sharedFloats(tensorData(result, name))]),
      ),
      latent: sharedFloats(channels * phonemeOfFrame.length),
      flowCarries: this.#flow.openCarries(),
      seed,
      noiseScale,
    };
  }

  /**
   * Computes one window of audio. The windows before it must have been computed, by any thread.
   * @returns mono PCM, −1…1, `hopLength` samples a frame.
   */
  async window(encoding: Encoding, window: FrameRange): Promise<Float32Array> {
    const { hopLength, decoder } = this.#facts;
    const { frames, channels } = encoding;
    const known = window.from === 0 ? 0 : window.from + decoder.halo;
    await this.#flow.extend(encoding, known, window.to + decoder.halo);
    const place = placeWindow(window, frames, decoder, hopLength);
    const latent = readStretch(encoding.latent, channels, place.input);
    const result = await this.#decoder.run({
      latent: floats([1, channels, latent.length / channels], latent),
      ...conditionFeeds(encoding, decoder.conditions),
      ...cropFeeds(place),
    });
    const length = (window.to - window.from) * hopLength;
    return tensorData(result, 'audio').slice(place.lead, place.lead + length);
  }

  async close(): Promise<void> {
    for (const session of [this.#text, this.#decoder]) await session.release();
    await this.#flow.close();
  }
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

function cropFeeds({ crops }: WindowPlace): Feeds {
  return Object.fromEntries(
    crops.flatMap(({ from, to }, i) => [
      [`crop_${i}_start`, wholes([1], [from])],
      [`crop_${i}_end`, wholes([1], [to])],
    ]),
  );
}
