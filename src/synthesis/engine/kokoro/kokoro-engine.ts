import { join } from 'node:path';
import { SpeechError } from '../../../domain/errors.ts';
import type { Engine, EnginePlace, SynthesisEvent, SynthesisRequest } from '../engine.ts';
import { type PhonemeIds, symbolDurations } from '../phoneme-ids.ts';
import { kokoroIds } from './kokoro-ids.ts';
import type { KokoroResult, KokoroStep } from './kokoro-protocol.ts';
import { KokoroThread } from './kokoro-thread.ts';
import { withGain } from './loudness.ts';
import { type KokoroPiece, planPieces } from './pieces.ts';
import { KOKORO_SPEAKERS } from './speakers.ts';
import { KokoroStyles } from './styles.ts';
import { symbolRulesFor } from './symbol-rules.ts';
import { TimedPiece, type TimingStep } from './timed-piece.ts';
import { PAD_ID } from './vocabulary.ts';

export const KOKORO_SAMPLE_RATE = 24_000;

export interface KokoroOptions {
  /** Folder that holds `graph.onnx`, `weights.bin` and `styles.bin`. */
  readonly directory: string;
  /** Cores that one piece of speech may use. */
  readonly threads: number;
  /** Chunks that may be spoken at once; speech that would begin beside them is refused. */
  readonly maxLiveJobs: number;
}

export interface KokoroStats {
  readonly liveJobs: number;
  /** Steps that wait for the thread. */
  readonly queuedSteps: number;
  readonly completedSteps: number;
  readonly respawns: number;
}

/** How long a chunk takes while no better estimate is known. */
const FIRST_JOB_ESTIMATE_MS = 3_000;

/** Does a step of a chunk as soon as it is the most urgent, and adds up what steps take. */
type RunStep = (step: KokoroStep) => Promise<KokoroResult>;

/**
 * Kokoro-82M behind the engine's port. A chunk is spoken in pieces, each in one go: the model looks at all
 * that it reads, so that no smaller window would be exact. It draws no noise: the same request gives the same
 * samples whatever its seed, and of the prosody only the pace is followed.
 */
export class KokoroEngine implements Engine {
  readonly #options: KokoroOptions;
  readonly #styles: KokoroStyles;
  readonly #thread: KokoroThread;
  /** Each with what ends its steps when it is given up. */
  readonly #live = new Set<AbortController>();
  /** Places of speech whose text is still being read. */
  readonly #reserved = new Set<symbol>();
  #jobEstimateMs = FIRST_JOB_ESTIMATE_MS;

  private constructor(options: KokoroOptions, styles: KokoroStyles) {
    this.#options = options;
    this.#styles = styles;
    const { directory, threads } = options;
    this.#thread = new KokoroThread({ directory, threads });
  }

  /** Loads the model; resolves when the first piece would be fast. @throws SpeechError `voice_file_corrupt`. */
  static async open(options: KokoroOptions): Promise<KokoroEngine> {
    const styles = await KokoroStyles.read(join(options.directory, 'styles.bin'));
    const engine = new KokoroEngine(options, styles);
    try {
      await engine.load();
      return engine;
    } catch (thrown) {
      await engine.close();
      throw thrown;
    }
  }

  get stats(): KokoroStats {
    const { queuedSteps, completedSteps, restarts } = this.#thread;
    return { liveJobs: this.#live.size, queuedSteps, completedSteps, respawns: restarts };
  }

  load(): Promise<void> {
    return this.#thread.ready();
  }

  reserve(): EnginePlace {
    const taken = this.#live.size + this.#reserved.size;
    if (taken >= this.#options.maxLiveJobs) {
      const retryMs = Math.ceil(this.#jobEstimateMs / taken / 50) * 50;
      throw new SpeechError(
        'system_busy',
        `The server is speaking ${taken} texts with Kokoro voices, as many as it can at once: ` +
          `try again in ${retryMs} ms, or choose another voice.`,
      );
    }
    const place = Symbol();
    this.#reserved.add(place);
    return { release: () => void this.#reserved.delete(place) };
  }

  async *synthesise(
    request: SynthesisRequest,
    signal: AbortSignal,
  ): AsyncGenerator<SynthesisEvent, void> {
    signal.throwIfAborted();
    const phonemes = phonemesOf(request);
    request.place?.release();
    if (phonemes.ids.length === 0) {
      yield* silence(request);
      return;
    }
    const job = new AbortController();
    this.#live.add(job);
    const startMs = performance.now();
    const leave = () => this.#live.delete(job);
    signal.addEventListener('abort', leave, { once: true });
    try {
      yield* this.#speak(request, phonemes, AbortSignal.any([signal, job.signal]));
      this.#jobEstimateMs += (performance.now() - startMs - this.#jobEstimateMs) / 8;
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
      job.abort();
    }
  }

  /** Ends the thread as a crash would; it is replaced, and what it worked on is done again. */
  restartThread(): Promise<void> {
    return this.#thread.kill();
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async *#speak(
    request: SynthesisRequest,
    phonemes: PhonemeIds,
    signal: AbortSignal,
  ): AsyncGenerator<SynthesisEvent, void> {
    const clock = new StepClock();
    const run: RunStep = async (step) => clock.count(await this.#thread.run(step, request, signal));
    const pieces = planPieces(phonemes.ids, request.windows);
    const timed: TimedPiece[] = [];
    for (const piece of pieces) timed.push(await this.#time(piece, request, phonemes.ids, run));
    const textMs = clock.synthMs;
    const [first, ...others] = timed.map((piece) => () => speechOf(piece, request, run));
    let next = first?.();
    yield timingOf(request, phonemes, pieces, timed);
    while (next) {
      signal.throwIfAborted();
      const samples: Float32Array = await next;
      clock.firstBlock();
      next = others.shift()?.();
      yield { type: 'block', samples };
    }
    signal.throwIfAborted();
    yield { type: 'end', timings: { ...clock.timings, textMs } };
  }

  async #time(
    { start, end, ending }: KokoroPiece,
    { speaker, blend, prosody }: SynthesisRequest,
    ids: readonly number[],
    run: RunStep,
  ): Promise<TimedPiece> {
    const shares = blend ?? [{ speaker, weight: 1 }];
    const step: TimingStep = {
      type: 'timing',
      ids: [PAD_ID, ...ids.slice(start, end), PAD_ID],
      style: this.#styles.blend(shares, end - start),
      pace: prosody.pace,
    };
    const result = await run(step);
    if (result.type !== 'timing') throw new Error(`A timing step gave ${result.type}.`);
    return new TimedPiece(step, ending, result.timing);
  }
}

/** Where the time of one chunk goes. */
class StepClock {
  readonly #startMs = performance.now();
  #queueMs: number | undefined;
  #firstBlockMs = 0;
  synthMs = 0;

  count(result: KokoroResult): KokoroResult {
    this.#queueMs ??= performance.now() - this.#startMs - result.computeMs;
    this.synthMs += result.computeMs;
    return result;
  }

  firstBlock(): void {
    this.#firstBlockMs ||= performance.now() - this.#startMs;
  }

  get timings() {
    const { synthMs } = this;
    return { queueMs: this.#queueMs ?? 0, firstBlockMs: this.#firstBlockMs, synthMs };
  }
}

function phonemesOf({ modelFile, speaker, symbols }: SynthesisRequest): PhonemeIds {
  const voice = KOKORO_SPEAKERS[speaker];
  if (voice) return kokoroIds(symbols, symbolRulesFor(voice.language));
  throw new SpeechError(
    'synthesis_failed',
    `${modelFile} has no speaker ${speaker}: choose another voice.`,
  );
}

function speechOf(
  piece: TimedPiece,
  { speaker }: SynthesisRequest,
  run: RunStep,
): Promise<Float32Array> {
  const speech = run(piece.speechStep).then((result) => {
    if (result.type !== 'speech') throw new Error(`A speech step gave ${result.type}.`);
    return withGain(piece.heardOf(result.samples), KOKORO_SPEAKERS[speaker]?.gain ?? 1);
  });
  // It is computed ahead: a failure is thrown at the reader who asks for it, and must not count as unhandled before.
  speech.catch(() => undefined);
  return speech;
}

function timingOf(
  { symbols }: SynthesisRequest,
  { owners }: PhonemeIds,
  pieces: readonly KokoroPiece[],
  timed: readonly TimedPiece[],
): SynthesisEvent {
  const idSamples = new Array<number>(owners.length).fill(0);
  for (const [index, piece] of timed.entries()) {
    idSamples.splice(pieces[index]?.start ?? 0, piece.idSamples.length, ...piece.idSamples);
  }
  return {
    type: 'timing',
    sampleRate: KOKORO_SAMPLE_RATE,
    totalSamples: idSamples.reduce((sum, count) => sum + count, 0),
    symbolSamples: symbolDurations(owners, idSamples, symbols.length),
  };
}

function* silence({ symbols }: SynthesisRequest): Generator<SynthesisEvent> {
  const symbolSamples = symbols.map(() => 0);
  yield { type: 'timing', sampleRate: KOKORO_SAMPLE_RATE, totalSamples: 0, symbolSamples };
  yield { type: 'end', timings: { queueMs: 0, textMs: 0, firstBlockMs: 0, synthMs: 0 } };
}
