import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SpeechError } from '../../../domain/errors.ts';
import type { Engine, EnginePlace, SynthesisEvent, SynthesisRequest } from '../engine.ts';
import { KokoroEngine, type KokoroOptions, type KokoroStats } from './kokoro-engine.ts';
import { type FetchProgress, fetchKokoro } from './kokoro-fetch.ts';
import { KOKORO_MODEL_FILE } from './speakers.ts';

const FILES = ['graph.onnx', 'weights.bin', 'styles.bin'];

export interface ArrivingKokoroOptions extends Omit<KokoroOptions, 'directory'> {
  /** Folder that holds the model's folder. */
  readonly modelsDir: string;
  /** Whether files that are missing are fetched. */
  readonly mayFetch: boolean;
  readonly log: ArrivalLog;
}

/** Where it is told how the arrival goes. */
export interface ArrivalLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export type KokoroStatus =
  | { readonly state: 'arriving'; readonly fetching: FetchProgress | null }
  | ({ readonly state: 'ready' } & KokoroStats)
  | { readonly state: 'absent'; readonly reason: string };

/** Kokoro, which the server does not wait for: its files are fetched and loaded behind other voices' backs. */
export class ArrivingKokoro implements Engine {
  readonly #options: ArrivingKokoroOptions;
  readonly #closing = new AbortController();
  #arrival: Promise<KokoroEngine> | undefined;
  #engine: KokoroEngine | undefined;
  #fetching: FetchProgress | undefined;
  #absentFor: string | undefined;

  constructor(options: ArrivingKokoroOptions) {
    this.#options = options;
  }

  /** Whether its files are there, or can be fetched. */
  static isPossible(options: Pick<ArrivingKokoroOptions, 'modelsDir' | 'mayFetch'>): boolean {
    return (
      hasFiles(options.modelsDir) || (options.mayFetch && existsSync(setupOf(options.modelsDir)))
    );
  }

  get status(): KokoroStatus {
    if (this.#engine) return { state: 'ready', ...this.#engine.stats };
    if (this.#absentFor !== undefined) return { state: 'absent', reason: this.#absentFor };
    return { state: 'arriving', fetching: this.#fetching ?? null };
  }

  /** Begins to fetch and load; returns at once. */
  start(): void {
    this.#arrival ??= this.#arrive();
    this.#arrival.catch((thrown: Error) => {
      if (this.#closing.signal.aborted) return;
      this.#absentFor = thrown.message;
      this.#options.log.warn({ reason: thrown.message }, 'Kokoro voices are absent');
    });
  }

  reserve(): EnginePlace {
    if (!this.#engine) throw this.#refusal();
    return this.#engine.reserve();
  }

  async *synthesise(
    request: SynthesisRequest,
    signal: AbortSignal,
  ): AsyncGenerator<SynthesisEvent, void> {
    signal.throwIfAborted();
    if (!this.#engine) throw this.#refusal();
    yield* this.#engine.synthesise(request, signal);
  }

  /** Resolves when they can speak. @throws Error that says why they cannot. */
  async load(): Promise<void> {
    this.start();
    await this.#arrival;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const engine = await this.#arrival?.catch(() => undefined);
    await engine?.close();
  }

  async #arrive(): Promise<KokoroEngine> {
    const { modelsDir, log, threads, maxLiveJobs } = this.#options;
    if (!hasFiles(modelsDir)) await this.#fetch();
    const directory = join(modelsDir, KOKORO_MODEL_FILE);
    this.#engine = await KokoroEngine.open({ directory, threads, maxLiveJobs });
    log.info({}, 'Kokoro voices are ready');
    return this.#engine;
  }

  async #fetch(): Promise<void> {
    const { modelsDir, mayFetch, log } = this.#options;
    if (!mayFetch) throw new Error('their files are missing');
    log.info({}, 'Kokoro voices are being fetched');
    const onProgress = (progress: FetchProgress) => {
      this.#fetching = progress;
      log.info(progress, 'Kokoro voices are on their way');
    };
    await fetchKokoro(setupOf(modelsDir), onProgress, this.#closing.signal);
    this.#fetching = undefined;
  }

  #refusal(): SpeechError {
    if (this.#absentFor !== undefined) {
      return new SpeechError(
        'voice_file_corrupt',
        `The Kokoro voices are absent (${this.#absentFor}): choose another voice, or fetch them with ` +
          `"node models/setup.mjs fetch ${KOKORO_MODEL_FILE}", then restart the server.`,
      );
    }
    const progress = this.#fetching
      ? `, ${this.#fetching.percent} % of ${this.#fetching.name}`
      : '';
    return new SpeechError(
      'voice_not_ready',
      `The Kokoro voices are still on their way${progress}: try again in a minute, or choose another voice.`,
    );
  }
}

function hasFiles(modelsDir: string): boolean {
  return FILES.every((name) => existsSync(join(modelsDir, KOKORO_MODEL_FILE, name)));
}

function setupOf(modelsDir: string): string {
  return join(modelsDir, 'setup.mjs');
}
