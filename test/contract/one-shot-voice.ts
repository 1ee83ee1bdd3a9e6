import { readFileSync } from 'node:fs';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { SynthesisRequest } from '../../src/synthesis/engine/engine.ts';
import type { EngineModel } from '../../src/synthesis/engine/model-catalog.ts';
import { fillFrameNoise, type NoiseStream } from '../../src/synthesis/engine/noise.ts';
import { phonemeIds } from '../../src/synthesis/engine/phoneme-ids.ts';
import { type GraphInput, OnnxGraph } from '../../src/synthesis/graph/onnx-graph.ts';
import { findLandmarks } from '../../src/synthesis/graph/piper-landmarks.ts';

/**
 * A voice as published, run in one go, with one change: its two sources of noise are inputs. What
 * the windowed engine speaks is compared with this.
 */
export class OneShotVoice {
  readonly #model: EngineModel;
  readonly #session: InferenceSession;
  readonly #channels: number;

  private constructor(model: EngineModel, session: InferenceSession, channels: number) {
    this.#model = model;
    this.#session = session;
    this.#channels = channels;
  }

  static async open(model: EngineModel): Promise<OneShotVoice> {
    const graph = OnnxGraph.parse(readFileSync(model.modelPath));
    const { durationNoise = '', latentNoise, channels } = findLandmarks(graph);
    const inputs: GraphInput[] = [
      ...graph.inputs.map((name) => ({
        tensor: name,
        name,
        type: name === 'scales' ? ('float' as const) : ('int64' as const),
      })),
      { tensor: durationNoise, name: 'duration_noise', type: 'float' },
      { tensor: latentNoise, name: 'latent_noise', type: 'float' },
    ];
    const audio = { tensor: graph.outputs[0] ?? '', name: 'audio' };
    const uncut = graph.extract(inputs, [audio]).serialise();
    const session = await InferenceSession.create(uncut, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
    });
    return new OneShotVoice(model, session, channels);
  }

  /** @param frames of the result: the noise has to be as long as the speech will be. */
  async speak(request: SynthesisRequest, frames: number): Promise<Float32Array> {
    const { config } = this.#model;
    const { ids } = phonemeIds(request.symbols, config);
    const { noiseScale, lengthScale, noiseW } = config.inference;
    const { variation, pace, rhythm } = request.prosody;
    const scales = [noiseScale * variation, lengthScale / pace, noiseW * rhythm];
    const result = await this.#session.run({
      input: wholes([1, ids.length], ids),
      input_lengths: wholes([1], [ids.length]),
      scales: new Tensor('float32', Float32Array.from(scales), [3]),
      ...(config.speakers > 1 && { sid: wholes([1], [request.speaker]) }),
      duration_noise: noise(request.seed, 'durations', 2, ids.length),
      latent_noise: noise(request.seed, 'latent', this.#channels, frames),
    });
    return result['audio']?.data as Float32Array;
  }
}

function wholes(dims: readonly number[], values: readonly number[]): Tensor {
  return new Tensor('int64', BigInt64Array.from(values, BigInt), dims);
}

function noise(seed: number, stream: NoiseStream, channels: number, frames: number): Tensor {
  const rows = new Float32Array(channels * frames);
  const column = new Float32Array(channels);
  for (let frame = 0; frame < frames; frame++) {
    fillFrameNoise(column, seed, stream, frame);
    column.forEach((value, channel) => {
      rows[channel * frames + frame] = value;
    });
  }
  return new Tensor('float32', rows, [1, channels, frames]);
}
