import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { OnnxGraph } from '../../graph/onnx-graph.ts';
import type { KokoroResult, KokoroStep, PieceTiming } from './kokoro-protocol.ts';
import { cutKokoro } from './kokoro-stages.ts';
import { STYLE_LENGTH } from './styles.ts';
import { KOKORO_IDS, PAD_ID } from './vocabulary.ts';

/** Ids of the piece to warm up with. */
const WARM_UP_LENGTH = 24;

/** The two stages of Kokoro, loaded in this thread. */
export class KokoroRunner {
  readonly #timing: InferenceSession;
  readonly #speech: InferenceSession;

  private constructor(timing: InferenceSession, speech: InferenceSession) {
    this.#timing = timing;
    this.#speech = speech;
  }

  /**
   * @param directory that holds `graph.onnx` and its weights.
   * @param threads that one run may use.
   */
  static async open(directory: string, threads: number): Promise<KokoroRunner> {
    const stages = cutKokoro(OnnxGraph.parse(await readFile(join(directory, 'graph.onnx'))));
    const options = sessionOptions(directory, threads);
    const open = (stage: OnnxGraph) => InferenceSession.create(stage.serialise(), options);
    const runner = new KokoroRunner(await open(stages.timing), await open(stages.speech));
    await runner.#warmUp();
    return runner;
  }

  /** @throws Error when what the model gives is not finite. */
  async run(step: KokoroStep): Promise<KokoroResult> {
    const startMs = performance.now();
    if (step.type === 'timing') {
      const timing = await this.#time(step);
      return { type: 'timing', timing, computeMs: performance.now() - startMs };
    }
    const samples = await this.#speak(step);
    return { type: 'speech', samples, computeMs: performance.now() - startMs };
  }

  async #time(step: Extract<KokoroStep, { type: 'timing' }>): Promise<PieceTiming> {
    const output = await this.#timing.run({
      ...commonFeeds(step),
      speed: new Tensor('float32', [step.pace], [1]),
    });
    return { durations: floats(output, 'durations'), features: floats(output, 'features') };
  }

  async #speak(step: Extract<KokoroStep, { type: 'speech' }>): Promise<Float32Array> {
    const { durations, features } = step.timing;
    const count = step.ids.length;
    const output = await this.#speech.run({
      ...commonFeeds(step),
      durations: new Tensor('float32', durations, [1, count]),
      features: new Tensor('float32', features, [1, features.length / count, count]),
    });
    return floats(output, 'samples');
  }

  /** Speaks to nobody, so that the first listener does not wait for weights to come from the disk. */
  async #warmUp(): Promise<void> {
    const known = [...KOKORO_IDS.values()];
    const ids = [PAD_ID, ...known.slice(-WARM_UP_LENGTH), PAD_ID];
    const style = new Float32Array(STYLE_LENGTH);
    const timing = await this.#time({ type: 'timing', ids, style, pace: 1 });
    await this.#speak({ type: 'speech', ids, style, timing });
  }
}

/**
 * Weights stay in the file, of which the system keeps one copy in memory for all who read it: packing
 * them for the processor would copy most of them, and saves a twentieth of the time. Nor is memory for the
 * longest piece kept for the next.
 */
function sessionOptions(directory: string, threads: number): InferenceSession.SessionOptions {
  return {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableMemPattern: false,
    enableCpuMemArena: false,
    // What goes wrong is thrown as well.
    logSeverityLevel: 4,
    extra: {
      session: {
        disable_prepacking: '1',
        model_external_initializers_file_folder_path: directory,
        intra_op: { allow_spinning: '0' },
      },
    },
  };
}

function commonFeeds({ ids, style }: Pick<KokoroStep, 'ids' | 'style'>) {
  return {
    input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
    style: new Tensor('float32', style, [1, style.length]),
  };
}

function floats(output: InferenceSession.OnnxValueMapType, name: string): Float32Array {
  const values = output[name]?.data as Float32Array;
  if (values.some((value) => !Number.isFinite(value))) {
    throw new Error(`The model gave ${name} that are not finite.`);
  }
  return values;
}
