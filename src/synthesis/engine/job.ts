import { SpeechError } from '../../domain/errors.ts';
import type { Encoding } from './encoding.ts';
import type { SynthesisEvent, SynthesisRequest, SynthesisTimings } from './engine.ts';
import type { Reply } from './engine-worker.ts';
import { type PhonemeIds, symbolDurations } from './phoneme-ids.ts';
import type { VoiceConfig } from './voice-config.ts';
import { type FrameRange, planWindows } from './windows.ts';
import type { Step } from './worker-protocol.ts';

const MAX_ATTEMPTS = 2;

/** One call of `synthesise`: what is done, what comes next, what waits to be pulled. */
export class Job {
  readonly #request: SynthesisRequest;
  readonly #config: VoiceConfig;
  readonly #hopLength: number;
  readonly #phonemes: PhonemeIds;
  readonly #createdMs = performance.now();
  readonly #ready: SynthesisEvent[] = [];
  #encoding: Encoding | undefined;
  #windows: readonly FrameRange[] = [];
  #nextWindow = 0;
  #attempts = 0;
  #isStepping = false;
  #isEnded = false;
  #failure: unknown;
  #wake: (() => void) | undefined;
  #timings: SynthesisTimings = {
    queueMs: 0,
    textMs: 0,
    firstBlockMs: 0,
    synthMs: 0,
  };

  /** @param phonemes of the request's symbols; at least one. */
  constructor(
    request: SynthesisRequest,
    phonemes: PhonemeIds,
    voice: { readonly config: VoiceConfig; readonly hopLength: number },
  ) {
    this.#request = request;
    this.#phonemes = phonemes;
    this.#config = voice.config;
    this.#hopLength = voice.hopLength;
  }

  get modelId(): string {
    return this.#request.modelFile;
  }

  /** Milliseconds since it was made. */
  get ageMs(): number {
    return performance.now() - this.#createdMs;
  }

  /**
   * Whether there is work that a thread could start now. One window is computed ahead of the
   * consumer, no more: what nobody pulls is not paid for.
   */
  get wantsStep(): boolean {
    if (this.#isEnded || this.#isStepping) return false;
    return !this.#ready.some((event) => event.type === 'block');
  }

  /** Whether a thread works on it, or could: not while its listener has yet to take what was made. */
  get isWorking(): boolean {
    return this.#isStepping || this.wantsStep;
  }

  get accountId(): string {
    return this.#request.accountId;
  }

  deadline(): number {
    return this.#request.deadline();
  }

  /** The step to do now; `accept` or `retry` must follow before the next one. */
  startStep(): Step {
    this.#isStepping = true;
    const modelId = this.modelId;
    const encoding = this.#encoding;
    const window = this.#windows[this.#nextWindow];
    if (encoding && window) return { type: 'window', modelId, encoding, window };
    if (this.#attempts === 0) this.#timings = { ...this.#timings, queueMs: this.ageMs };
    const { speaker, seed, prosody } = this.#request;
    const { noiseScale, lengthScale, noiseW } = this.#config.inference;
    return {
      type: 'text',
      modelId,
      request: {
        ids: this.#phonemes.ids,
        speaker,
        seed,
        noiseScale: noiseScale * prosody.variation,
        lengthScale: lengthScale / prosody.pace,
        noiseW: noiseW * prosody.rhythm,
      },
    };
  }

  /** Takes the result of the current step; ignored once the job has ended. */
  accept(reply: Reply): void {
    this.#isStepping = false;
    this.#attempts = 0;
    if (this.#isEnded) return;
    if (reply.type === 'encoded') this.#acceptEncoding(reply.encoding, reply.computeMs);
    if (reply.type === 'block') this.#acceptBlock(reply.samples, reply.computeMs);
    this.#wake?.();
  }

  /** The current step came to nothing; it is done again, once. */
  retry(reason: Error): void {
    this.#isStepping = false;
    this.#attempts++;
    if (this.#attempts < MAX_ATTEMPTS) return;
    this.fail(
      new SpeechError(
        'synthesis_failed',
        'This text could not be spoken: the synthesis failed twice at the same place. Other texts ' +
          'are not affected; try again with a different wording.',
        { cause: reason },
      ),
    );
  }

  /** Ends the job: the next pull receives `reason` thrown. The first reason stays. */
  fail(reason: unknown): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#failure = reason;
    this.#ready.length = 0;
    this.#wake?.();
  }

  /** The next event, once there is one; after `end` nothing. */
  async pull(): Promise<SynthesisEvent | undefined> {
    while (this.#ready.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#failure !== undefined) throw this.#failure as Error;
    return this.#ready.shift();
  }

  #acceptEncoding(encoding: Encoding, computeMs: number): void {
    const { symbols, windows } = this.#request;
    const frames = symbolDurations(this.#phonemes.owners, encoding.durations, symbols.length);
    this.#encoding = encoding;
    this.#windows = planWindows(windows, encoding.frames);
    this.#timings = { ...this.#timings, textMs: computeMs, synthMs: computeMs };
    this.#ready.push({
      type: 'timing',
      sampleRate: this.#config.sampleRate,
      totalSamples: encoding.frames * this.#hopLength,
      symbolSamples: frames.map((count) => count * this.#hopLength),
    });
  }

  #acceptBlock(samples: Float32Array, computeMs: number): void {
    const { firstBlockMs, synthMs } = this.#timings;
    this.#timings = {
      ...this.#timings,
      firstBlockMs: this.#nextWindow === 0 ? this.ageMs : firstBlockMs,
      synthMs: synthMs + computeMs,
    };
    this.#nextWindow++;
    this.#ready.push({ type: 'block', samples });
    if (this.#nextWindow === this.#windows.length) {
      this.#ready.push({ type: 'end', timings: this.#timings });
      this.#isEnded = true;
      this.#encoding = undefined;
    }
  }
}
