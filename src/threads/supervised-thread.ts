import { type Transferable, Worker } from 'node:worker_threads';

const FIRST_RESPAWN_DELAY_MS = 50;
const MAX_RESPAWN_DELAY_MS = 5_000;

export interface ThreadOptions<FromThread> {
  /** From `threadEntry`. */
  readonly entry: URL;
  /** Shown by the operating system and in logs. */
  readonly name: string;
  readonly workerData: unknown;
  /** Called for each new thread, the first and every replacement, before any message from it. */
  readonly onStart: () => void;
  readonly onMessage: (message: FromThread) => void;
  /** The thread died without being asked to; a replacement starts after a growing delay. */
  readonly onCrash: (reason: Error) => void;
}

/** A worker thread that is replaced when it dies. Messages posted while none runs are dropped. */
export class SupervisedThread<ToThread, FromThread> {
  readonly #options: ThreadOptions<FromThread>;
  #worker: Worker | undefined;
  #respawn: NodeJS.Timeout | undefined;
  #respawnDelayMs = FIRST_RESPAWN_DELAY_MS;
  #closed = false;

  constructor(options: ThreadOptions<FromThread>) {
    this.#options = options;
    this.#spawn();
  }

  post(message: ToThread, transfer: readonly Transferable[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }

  /** Kills the thread as a crash would; the supervisor replaces it. */
  async kill(): Promise<void> {
    await this.#worker?.terminate();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#respawn);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #spawn(): void {
    const { entry, name, workerData } = this.#options;
    const worker = new Worker(entry, { name, workerData });
    let failure: Error | undefined;
    this.#worker = worker;
    worker.on('message', (message: FromThread) => {
      this.#respawnDelayMs = FIRST_RESPAWN_DELAY_MS;
      this.#options.onMessage(message);
    });
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', (code) => {
      if (this.#closed) return;
      this.#worker = undefined;
      this.#options.onCrash(failure ?? new Error(`Thread ${name} exited with code ${code}.`));
      this.#respawn = setTimeout(() => this.#spawn(), this.#respawnDelayMs);
      this.#respawnDelayMs = Math.min(this.#respawnDelayMs * 2, MAX_RESPAWN_DELAY_MS);
    });
    this.#options.onStart();
  }
}
