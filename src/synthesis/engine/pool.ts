import { SpeechError } from '../../domain/errors.ts';
import { AccountShares } from './account-shares.ts';
import { Admission } from './admission.ts';
import { DeadlineQueue } from './deadline-queue.ts';
import {
  type BeginningSpeech,
  type Engine,
  type EnginePlace,
  MAX_SYMBOLS,
  type SynthesisEvent,
  type SynthesisRequest,
} from './engine.ts';
import { EngineWorker } from './engine-worker.ts';
import { Job } from './job.ts';
import { LoadedModels } from './loaded-models.ts';
import type { EngineModel } from './model-catalog.ts';
import { phonemeIds } from './phoneme-ids.ts';
import { ratedStreams } from './places.ts';

export interface EnginePoolOptions {
  /** Voices that may be spoken with; loaded on first use. */
  readonly models: readonly EngineModel[];
  /** Where cut voices are kept, best first; later ones are used when the first cannot be written. */
  readonly cacheFolders: readonly string[];
  /** Threads; one a core is best. */
  readonly workers: number;
  /** Cores that the threads share. */
  readonly cores: number;
  /** Streams that may speak at once; without it, as many as the machine is rated for. */
  readonly maxStreams?: number | undefined;
  /** Whether new speech is refused while steps start too late for their listeners; true unless given. */
  readonly refusesWhenLate?: boolean;
  /** Voices that stay loaded; each costs about twice its file in memory, in every worker. */
  readonly maxLoadedModels: number;
}

export interface EnginePoolStats {
  readonly workers: number;
  /** Steps that workers compute now. */
  readonly runningSteps: number;
  /** Steps that could run now if a worker were free. */
  readonly queuedSteps: number;
  /** Steps done since the start. */
  readonly completedSteps: number;
  /** Chunks that were begun and not ended, those whose listeners do not read included. */
  readonly liveJobs: number;
  /** Chunks that threads work on, or could: each takes one of the places. */
  readonly workingJobs: number;
  /** Places: how many streams may speak at once. */
  readonly ratedStreams: number;
  /** Whether new speech is refused now. */
  readonly isFull: boolean;
  /** Threads that died and were replaced. */
  readonly respawns: number;
  /** Processor seconds for a second of speech, as this machine measured it at warm-up; 0 before. */
  readonly realTimeFactor: number;
}

/**
 * The engine on worker threads. Every chunk is a row of steps (its text, then window after window),
 * any of which any worker can do; a free worker takes the step whose listener runs dry first. A chunk
 * has one step under way at most, and computes one window ahead of its reader.
 */
export class EnginePool implements Engine {
  readonly #options: EnginePoolOptions;
  readonly #workers: readonly EngineWorker[];
  readonly #loaded: LoadedModels;
  readonly #shares = new AccountShares();
  /** Jobs with a step to do. */
  readonly #queue = new DeadlineQueue<Job>(this.#shares);
  readonly #jobs = new Set<Job>();
  readonly #admission: Admission;
  #runningSteps = 0;
  #completedSteps = 0;
  #isClosed = false;

  constructor(options: EnginePoolOptions) {
    this.#options = options;
    this.#admission = new Admission({
      threads: options.workers,
      refusesWhenLate: options.refusesWhenLate ?? true,
      places: () => this.#places,
      working: () => [...this.#jobs].filter(({ isWorking }) => isWorking),
    });
    this.#workers = Array.from(
      { length: options.workers },
      (_, index) => new EngineWorker(index, (worker) => this.#loaded.restore(worker)),
    );
    this.#loaded = new LoadedModels({
      ...options,
      workers: this.#workers,
      onFree: (worker) => this.#dispatch(worker),
      onLost: (modelId, reason) => this.#failJobsOf(modelId, reason),
    });
  }

  get stats(): EnginePoolStats {
    return {
      workers: this.#workers.length,
      runningSteps: this.#runningSteps,
      queuedSteps: this.#queue.size,
      completedSteps: this.#completedSteps,
      liveJobs: this.#jobs.size,
      workingJobs: this.#admission.working,
      ratedStreams: this.#places,
      isFull: this.#admission.isFull,
      respawns: this.#workers.reduce((sum, worker) => sum + worker.restarts, 0),
      realTimeFactor: this.#loaded.realTimeFactor,
    };
  }

  async load(modelFile: string): Promise<void> {
    await this.#loaded.loadEverywhere(modelFile);
  }

  async *synthesise(
    request: SynthesisRequest,
    signal: AbortSignal,
  ): AsyncGenerator<SynthesisEvent, void> {
    signal.throwIfAborted();
    if (request.symbols.length > MAX_SYMBOLS) {
      throw new RangeError(`The engine speaks ${MAX_SYMBOLS} phoneme symbols at once, no more.`);
    }
    try {
      const voice = await unlessAborted(this.#loaded.acquire(request.modelFile), signal);
      const phonemes = phonemeIds(request.symbols, voice.config);
      if (phonemes.ids.length === 0) yield* silence(request, voice.config.sampleRate);
      else yield* this.#speak(this.#begin(new Job(request, phonemes, voice), request), signal);
    } finally {
      request.place?.release();
      this.#loaded.release(request.modelFile);
    }
  }

  reserve({ accountId }: BeginningSpeech): EnginePlace {
    return this.#admission.reserve(accountId);
  }

  /** See `Admission.assertRoom`. */
  assertRoom(accountId: string, standing?: readonly string[]): void {
    this.#admission.assertRoom(accountId, standing);
  }

  /** Kills a thread as a crash would; it is replaced, and what it worked on is done again. */
  async restartWorker(index: number): Promise<void> {
    await this.#workers[index]?.kill();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const reason = new SpeechError('shutting_down', 'The server is shutting down; connect again.');
    for (const job of this.#jobs) this.#end(job, reason);
    await Promise.all(this.#workers.map((worker) => worker.close()));
  }

  async *#speak(job: Job, signal: AbortSignal): AsyncGenerator<SynthesisEvent, void> {
    const abort = () => this.#end(job, signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      this.#enqueue(job);
      for (let event = await job.pull(); event; event = await job.pull()) {
        signal.throwIfAborted();
        this.#enqueue(job);
        yield event;
        signal.throwIfAborted();
      }
      this.#admission.spoken(job.ageMs);
    } finally {
      signal.removeEventListener('abort', abort);
      this.#end(job, undefined);
    }
  }

  get #places(): number {
    const { maxStreams, workers, cores } = this.#options;
    const { realTimeFactor } = this.#loaded;
    return maxStreams ?? ratedStreams({ cores: Math.min(workers, cores), realTimeFactor });
  }

  #begin(job: Job, { place }: SynthesisRequest): Job {
    if (this.#isClosed) {
      throw new SpeechError('shutting_down', 'The server is shutting down; connect again.');
    }
    place?.release();
    this.#jobs.add(job);
    return job;
  }

  #end(job: Job, reason: unknown): void {
    job.fail(reason);
    this.#jobs.delete(job);
    this.#queue.delete(job);
  }

  #failJobsOf(modelId: string, reason: unknown): void {
    for (const job of this.#jobs) if (job.modelId === modelId) this.#end(job, reason);
  }

  #enqueue(job: Job): void {
    if (!this.#jobs.has(job) || !job.wantsStep) return;
    this.#queue.add(job, performance.now());
    const idle = this.#workers.find((worker) => worker.isIdle && worker.has(job.modelId));
    if (idle) this.#dispatch(idle);
  }

  #dispatch(worker: EngineWorker): void {
    if (!worker.isIdle) return;
    const nowMs = performance.now();
    const taken = this.#queue.take(({ modelId }) => worker.has(modelId), nowMs);
    if (!taken) return;
    this.#admission.stepStarted(taken.lateMs, nowMs);
    void this.#step(worker, taken.item);
  }

  async #step(worker: EngineWorker, job: Job): Promise<void> {
    this.#runningSteps++;
    try {
      const reply = await worker.run(job.startStep());
      if ('computeMs' in reply) this.#shares.charge(job.accountId, reply.computeMs);
      job.accept(reply);
      this.#completedSteps++;
    } catch (thrown) {
      job.retry(thrown as Error);
    } finally {
      this.#runningSteps--;
    }
    this.#enqueue(job);
    this.#dispatch(worker);
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function* silence(request: SynthesisRequest, sampleRate: number): Generator<SynthesisEvent> {
  const symbolSamples = request.symbols.map(() => 0);
  yield { type: 'timing', sampleRate, totalSamples: 0, symbolSamples };
  yield {
    type: 'end',
    timings: { queueMs: 0, textMs: 0, firstBlockMs: 0, synthMs: 0 },
  };
}
