import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { SynthesisRequest } from '../../src/synthesis/engine/engine.ts';
import { audiblePart } from '../../src/synthesis/engine/kokoro/audible.ts';
import { kokoroIds } from '../../src/synthesis/engine/kokoro/kokoro-ids.ts';
import { withGain } from '../../src/synthesis/engine/kokoro/loudness.ts';
import { planPieces } from '../../src/synthesis/engine/kokoro/pieces.ts';
import { KOKORO_SPEAKERS } from '../../src/synthesis/engine/kokoro/speakers.ts';
import { KokoroStyles } from '../../src/synthesis/engine/kokoro/styles.ts';
import { symbolRulesFor } from '../../src/synthesis/engine/kokoro/symbol-rules.ts';
import { OnnxGraph } from '../../src/synthesis/graph/onnx-graph.ts';

const SAMPLES_PER_UNIT = 600;

/**
 * Kokoro uncut, run in one go for each piece, with one change: durations are an output as well. What the
 * engine speaks is compared with this.
 */
export class OneShotKokoro {
  readonly #session: InferenceSession;
  readonly #styles: KokoroStyles;
  readonly #durations: string;

  private constructor(session: InferenceSession, styles: KokoroStyles, durations: string) {
    this.#session = session;
    this.#styles = styles;
    this.#durations = durations;
  }

  static async open(directory: string): Promise<OneShotKokoro> {
    const graph = OnnxGraph.parse(readFileSync(join(directory, 'graph.onnx')));
    const rounded = graph.nodes.find(({ opType }) => opType === 'Round')?.output[0] ?? '';
    const durations = graph.consumers(rounded)[0]?.output[0] ?? '';
    const uncut = graph.rewrite(graph.nodes, [], [], [durations]).serialise();
    const session = await InferenceSession.create(uncut, {
      intraOpNumThreads: 2,
      enableCpuMemArena: false,
      extra: {
        session: {
          disable_prepacking: '1',
          model_external_initializers_file_folder_path: directory,
        },
      },
    });
    const styles = await KokoroStyles.read(join(directory, 'styles.bin'));
    return new OneShotKokoro(session, styles, durations);
  }

  async speak(request: SynthesisRequest): Promise<Float32Array> {
    const { symbols, speaker, windows } = request;
    const { language, gain } = KOKORO_SPEAKERS[speaker] ?? { language: 'en-US', gain: 1 };
    const { ids } = kokoroIds(symbols, symbolRulesFor(language));
    const spoken: number[] = [];
    for (const { start, end, ending } of planPieces(ids, windows)) {
      const { samples, durations } = await this.#run(ids.slice(start, end), request);
      const audible = audiblePart(durations, ending, request.prosody.pace);
      const from = audible.start * SAMPLES_PER_UNIT;
      spoken.push(...withGain(samples.subarray(from, audible.end * SAMPLES_PER_UNIT), gain));
    }
    return Float32Array.from(spoken);
  }

  close(): Promise<void> {
    return this.#session.release();
  }

  async #run(ids: readonly number[], { speaker, prosody }: SynthesisRequest) {
    const style = this.#styles.blend([{ speaker, weight: 1 }], ids.length);
    const padded = [0, ...ids, 0];
    const output = await this.#session.run({
      input_ids: new Tensor('int64', BigInt64Array.from(padded, BigInt), [1, padded.length]),
      style: new Tensor('float32', style, [1, style.length]),
      speed: new Tensor('float32', [prosody.pace], [1]),
    });
    const samples = output[this.#session.outputNames[0] ?? '']?.data as Float32Array;
    return { samples, durations: Array.from(output[this.#durations]?.data as Float32Array) };
  }
}
