import { InferenceSession, Tensor } from 'onnxruntime-node';
import { SILERO_WINDOWS, type SileroRate } from './voice-activity-protocol.ts';

/** It also wants the end of the window before: 4 ms. */
const CONTEXT_SAMPLES = { 8000: 32, 16000: 64 } as const;
const STATE_SHAPE = [2, 1, 128];
const STATE_LENGTH = 2 * 128;

const SESSION_OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  extra: { session: { intra_op: { allow_spinning: '0' } } },
};

/** What the model remembers of one listener's audio. */
export interface SileroMemory {
  state: Float32Array;
  context: Float32Array;
}

export function freshMemory(sampleRate: SileroRate): SileroMemory {
  return {
    state: new Float32Array(STATE_LENGTH),
    context: new Float32Array(CONTEXT_SAMPLES[sampleRate]),
  };
}

/**
 * Silero VAD v5 (github.com/snakers4/silero-vad, `OnnxWrapper` in `utils_vad.py`): says of each window
 * of audio how probable it is that somebody speaks.
 */
export class Silero {
  readonly #session: InferenceSession;

  private constructor(session: InferenceSession) {
    this.#session = session;
  }

  /** @throws Error of ONNX Runtime when the file is no such model. */
  static async open(modelPath: string): Promise<Silero> {
    const silero = new Silero(await InferenceSession.create(modelPath, SESSION_OPTIONS));
    await silero.hear(new Float32Array(SILERO_WINDOWS[8000]), 8000, freshMemory(8000));
    return silero;
  }

  /**
   * @param window as many samples as `SILERO_WINDOWS` says, −1…1.
   * @param memory is carried on to the next window.
   * @returns 0–1.
   */
  async hear(window: Float32Array, sampleRate: SileroRate, memory: SileroMemory): Promise<number> {
    const { context } = memory;
    const input = new Float32Array(context.length + window.length);
    input.set(context);
    input.set(window, context.length);
    memory.context = window.slice(-context.length);
    const { output, stateN } = await this.#session.run({
      input: new Tensor('float32', input, [1, input.length]),
      state: new Tensor('float32', memory.state, STATE_SHAPE),
      sr: new Tensor('int64', BigInt64Array.of(BigInt(sampleRate)), []),
    });
    if (!output || !stateN) throw new Error('This is not Silero VAD v5: its outputs are others.');
    memory.state = stateN.data as Float32Array;
    return (output.data as Float32Array)[0] ?? 0;
  }
}
