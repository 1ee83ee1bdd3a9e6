import { SpeechError } from '../../domain/errors.ts';
import { AccountShares } from './account-shares.ts';
import { DeadlineQueue } from './deadline-queue.ts';
import { type Engine, MAX_SYMBOLS, type SynthesisEvent, type SynthesisRequest } from './engine.ts';
import { EngineWorker } from './engine-worker.ts';
import { Job } from './job.ts';
import { Lateness } from './lateness.ts';
import { LoadedModels } from './loaded-models.ts';
import type { VoiceModel } from './model-catalog.ts';
import { phonemeIds } from './phoneme-ids.ts';
import { Holdings, ratedStreams } from './places.ts';

export interface EnginePoolOptions {
  /** Voices that may be spoken with; loaded on first use. */
  readonly models: readonly VoiceModel[];
  /** Where cut voices are kept, best first; later ones are used when the first cannot be written. */
  readonly cacheFolders: readonly string[];
  /** Threads; one a core is best. */
  readonly workers: number;
  /** Cores that the threads share. */
  readonly cores: number;
  /** Streams that may speak at once; without it, as many as the machine is rated for. */
  readonly maxStreams?: number | undefined;
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

/** How long a chunk takes while no better estimate is known. */
const FIRST_JOB_ESTIMATE_MS = 2_000;

/**
 * The engine on worker threads. Every chunk is a row of steps (its text, then window after window),
 * any of which any worker can do; a free worker takes the step whose listener runs dry first. A chunk
 * has one step under way at most, and computes one window ahead of whoever pulls it.
 */
export class EnginePool implements Engine {
  readonly #options: EnginePoolOptions;
  readonly #workers: readonly EngineWorker[];
  readonly #loaded: LoadedModels;
  readonly #shares = new AccountShares();
  /** Jobs with a step to do. */
  readonly #queue = new DeadlineQueue<Job>(this.#shares);
  readonly #lateness = new Lateness();
  readonly #jobs = new Set<Job>();
  #jobEstimateMs = FIRST_JOB_ESTIMATE_MS;
  #runningSteps = 0;
  #completedSteps = 0;
  #isClosed = false;

  constructor(options: EnginePoolOptions) {
    this.#options = options;
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
      workingJobs: this.#holdings().taken,
      ratedStreams: this.#places,
      isFull: this.#isOverloaded || this.#holdings().taken >= this.#places,
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
      else yield* this.#speak(this.#admit(new Job(request, phonemes, voice)), signal);
    } finally {
      this.#loaded.release(request.modelFile);
    }
  }

  /**
   * Refuses what would make running speech break up: when all places are taken, or steps start too
   * late for their listeners. An account with nothing is let in all the same while another has more
   * than its even share: the delay is the other's.
   *
   * @param standing accounts of streams that were admitted for good, and may speak at any time.
   * @throws SpeechError `system_busy`.
   */
  assertRoom(accountId: string, standing: readonly string[] = []): void {
    const working = this.#holdings();
    const hasRoom =
      working.hasRoomFor(accountId) && new Holdings(this.#places, standing).hasRoomFor(accountId);
    const isInTime = !this.#isOverloaded || working.isCrowdedOut(accountId);
    if (hasRoom && isInTime) return;
    const retryMs = Math.ceil(this.#jobEstimateMs / Math.max(1, working.taken) / 50) * 50;
    throw new SpeechError(
      'system_busy',
      hasRoom
        ? `The server has no time for more speech now: try again in ${retryMs} ms.`
        : `The server is speaking as many texts as it can at once: try again in ${retryMs} ms.`,
    );
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
      this.#jobEstimateMs += (job.ageMs - this.#jobEstimateMs) / 8;
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

  get #isOverloaded(): boolean {
    return this.#lateness.isOverloaded(performance.now());
  }

  #holdings(): Holdings {
    const working = [...this.#jobs].filter(({ isWorking }) => isWorking);
    return new Holdings(
      this.#places,
      working.map(({ accountId }) => accountId),
    );
  }

  #admit(job: Job): Job {
    if (this.#isClosed) {
      throw new SpeechError('shutting_down', 'The server is shutting down; connect again.');
    }
    if (!job.isContinuation) this.assertRoom(job.accountId);
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
    this.#lateness.started(taken.lateMs, nowMs);
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
