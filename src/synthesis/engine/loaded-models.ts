import { SpeechError } from '../../domain/errors.ts';
import { type EngineWorker, type Reply, WorkerCrash } from './engine-worker.ts';
import type { EngineModel } from './model-catalog.ts';
import type { VoiceConfig } from './voice-config.ts';
import type { ToWorker } from './worker-protocol.ts';

/** A voice that at least one worker can speak with. */
export interface LoadedVoice {
  readonly config: VoiceConfig;
  readonly hopLength: number;
}

interface LoadedModelsOptions {
  readonly models: readonly EngineModel[];
  readonly cacheFolders: readonly string[];
  readonly maxLoadedModels: number;
  readonly workers: readonly EngineWorker[];
  /** The worker has loaded or dropped a voice, and may have nothing to do. */
  readonly onFree: (worker: EngineWorker) => void;
  /** A model that was loaded cannot be loaded again, and no worker has it any more. */
  readonly onLost: (modelId: string, reason: unknown) => void;
}

interface Entry {
  readonly ready: Promise<LoadedVoice>;
  readonly everywhere: Promise<void>;
}

type Loaded = Extract<Reply, { type: 'loaded' }>;

/** Which voices the workers hold, the least recently used first. */
export class LoadedModels {
  readonly #options: LoadedModelsOptions;
  readonly #models: ReadonlyMap<string, EngineModel>;
  readonly #entries = new Map<string, Entry>();
  /** Chunks that are spoken with each voice now. */
  readonly #users = new Map<string, number>();
  /** By model: of its fastest warm-up in any worker. */
  readonly #realTimeFactors = new Map<string, number>();

  constructor(options: LoadedModelsOptions) {
    this.#options = options;
    this.#models = new Map(options.models.map((model) => [model.id, model]));
  }

  /** Processor seconds for a second of speech by the slowest voice loaded; 0 before there is one. */
  get realTimeFactor(): number {
    return Math.max(0, ...this.#realTimeFactors.values());
  }

  /**
   * The voice, as soon as one worker has it; the others load it one by one, so that running streams
   * are never without a worker. It stays loaded until `release` is called as often as this.
   * @throws SpeechError `voice_file_corrupt`, `voice_not_ready`, `synthesis_failed`.
   */
  async acquire(modelId: string): Promise<LoadedVoice> {
    // Counted before anything is awaited: from here on it must not be unloaded.
    this.#users.set(modelId, (this.#users.get(modelId) ?? 0) + 1);
    return this.#entry(modelId).ready;
  }

  /** Gives back what `acquire` counted, whether that succeeded or not. */
  release(modelId: string): void {
    const rest = (this.#users.get(modelId) ?? 1) - 1;
    if (rest > 0) this.#users.set(modelId, rest);
    else this.#users.delete(modelId);
  }

  /** Resolves when every worker has the voice. @throws as `acquire` does. */
  async loadEverywhere(modelId: string): Promise<void> {
    await this.#entry(modelId).everywhere;
  }

  /** Loads what the dead thread had into the one that replaces it. */
  restore(worker: EngineWorker): void {
    for (const modelId of [...this.#entries.keys()].reverse()) {
      this.#loadInto(worker, modelId).catch((reason: unknown) => {
        const isLost = !this.#options.workers.some((other) => other.has(modelId));
        if (isLost) this.#entries.delete(modelId);
        if (isLost) this.#options.onLost(modelId, reason);
      });
    }
  }

  #entry(modelId: string): Entry {
    const known = this.#entries.get(modelId);
    const entry = known ?? this.#open(modelId);
    // Moved to the end: the most recently used.
    this.#entries.delete(modelId);
    this.#entries.set(modelId, entry);
    if (!known) this.#unloadSurplus();
    return entry;
  }

  #open(modelId: string): Entry {
    const [first, ...others] = this.#options.workers;
    if (!first) throw new Error('An engine needs at least one worker.');
    const { config } = this.#find(modelId);
    const ready = this.#loadInto(first, modelId).then(({ hopLength }) => ({
      config,
      hopLength,
    }));
    const everywhere = ready.then(async () => {
      for (const worker of others) await this.#loadInto(worker, modelId);
    });
    // Not kept, so that the next call tries again: the file may have been repaired.
    ready.catch(() => this.#entries.delete(modelId));
    everywhere.catch(() => undefined);
    return { ready, everywhere };
  }

  async #loadInto(worker: EngineWorker, modelId: string): Promise<Loaded> {
    const message = this.#loadMessage(modelId);
    try {
      // A thread that dies need not be the voice's fault: the next one gets a chance.
      const reply = await worker.run(message).catch((reason: unknown) => {
        if (reason instanceof WorkerCrash) return worker.run(message);
        throw reason;
      });
      const loaded = reply as Loaded;
      const known = this.#realTimeFactors.get(modelId) ?? Number.POSITIVE_INFINITY;
      this.#realTimeFactors.set(modelId, Math.min(known, loaded.realTimeFactor));
      return loaded;
    } catch (cause) {
      if (cause instanceof SpeechError) throw cause;
      const message = `The voice ${modelId} could not be loaded: its thread ended twice. Try again.`;
      throw new SpeechError('synthesis_failed', message, { cause });
    } finally {
      this.#options.onFree(worker);
    }
  }

  #loadMessage(modelId: string): ToWorker {
    const { modelPath, config } = this.#find(modelId);
    const sampleIds = Array.from(config.phonemeIds.values()).flat();
    const { cacheFolders } = this.#options;
    const { sampleRate } = config;
    return {
      type: 'load',
      modelId,
      modelPath,
      cacheFolders,
      sampleIds,
      sampleRate,
    };
  }

  #find(modelId: string): EngineModel {
    const model = this.#models.get(modelId);
    if (model) return model;
    throw new SpeechError(
      'voice_file_corrupt',
      `The voice file ${modelId}.onnx is missing: fetch it with ` +
        `"node models/setup.mjs fetch ${modelId}", then restart the server.`,
    );
  }

  #unloadSurplus(): void {
    const { maxLoadedModels, workers } = this.#options;
    for (const modelId of [...this.#entries.keys()].slice(0, -1)) {
      if (this.#entries.size <= maxLoadedModels) return;
      if (this.#users.has(modelId)) continue;
      this.#entries.delete(modelId);
      this.#realTimeFactors.delete(modelId);
      for (const worker of workers) void this.#unloadFrom(worker, modelId);
    }
  }

  async #unloadFrom(worker: EngineWorker, modelId: string): Promise<void> {
    // A thread that dies over it has forgotten the voice all the same.
    await worker.run({ type: 'unload', modelId }).catch(() => undefined);
    this.#options.onFree(worker);
  }
}
