import { SpeechError } from '../../../domain/errors.ts';
import { SupervisedThread } from '../../../threads/supervised-thread.ts';
import { threadEntry } from '../../../threads/thread-entry.ts';
import { AccountShares } from '../account-shares.ts';
import { DeadlineQueue, type Urgent } from '../deadline-queue.ts';
import type {
  FromKokoroWorker,
  KokoroResult,
  KokoroStep,
  KokoroWorkerData,
} from './kokoro-protocol.ts';
import { KokoroTask } from './kokoro-task.ts';

/** Starts that may fail before those who wait are told. */
const MAX_FAILED_STARTS = 2;

/**
 * Kokoro on a thread of its own, which computes one step at a time, the most urgent first. A thread that
 * dies is replaced, and what it worked on is done again.
 */
export class KokoroThread {
  readonly #thread: SupervisedThread<KokoroStep, FromKokoroWorker>;
  readonly #shares = new AccountShares();
  readonly #queue = new DeadlineQueue<KokoroTask>(this.#shares);
  readonly #onSettled: Array<() => void> = [];
  #current: KokoroTask | undefined;
  #state: 'starting' | 'ready' | 'dead' | 'unusable' | 'closed' = 'starting';
  #isDoomed = false;
  #starts = 0;
  #failedStarts = 0;
  #completedSteps = 0;
  #unusable: SpeechError | undefined;

  constructor(workerData: KokoroWorkerData) {
    this.#thread = new SupervisedThread({
      entry: threadEntry('synthesis/engine/kokoro/kokoro-worker.ts'),
      name: 'kokoro',
      workerData,
      onStart: () => this.#started(),
      onMessage: (message) => this.#received(message),
      onCrash: (reason) => this.#crashed(reason),
    });
  }

  get restarts(): number {
    return this.#starts - 1;
  }

  get completedSteps(): number {
    return this.#completedSteps;
  }

  get queuedSteps(): number {
    return this.#queue.size;
  }

  get isBusy(): boolean {
    return this.#current !== undefined;
  }

  /** Resolves when the model is loaded and warm. @throws SpeechError `voice_file_corrupt`. */
  async ready(): Promise<void> {
    while (this.#state === 'starting' || this.#state === 'dead') await this.#settled();
    if (this.#unusable) throw this.#unusable;
  }

  /**
   * @param urgency the account and the deadline of the `SynthesisRequest`.
   * @throws SpeechError `synthesis_failed` when the step came to nothing twice, `voice_file_corrupt`,
   *   `shutting_down`; the signal's reason once it is aborted.
   */
  run(step: KokoroStep, urgency: Urgent, signal: AbortSignal): Promise<KokoroResult> {
    const task = new KokoroTask(step, urgency);
    const refusal = this.#state === 'closed' ? shuttingDown() : this.#unusable;
    if (signal.aborted || refusal) {
      task.fail(signal.aborted ? signal.reason : refusal);
      return task.result;
    }
    const abort = () => {
      this.#queue.delete(task);
      task.fail(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    this.#queue.add(task, performance.now());
    this.#advance();
    return task.result.finally(() => signal.removeEventListener('abort', abort));
  }

  /**
   * Ends the thread as a crash would. Waits until it is out of the runtime's native code, where ending it
   * would end the whole process.
   */
  async kill(): Promise<void> {
    this.#isDoomed = true;
    if (this.#current) await this.#settled();
    else await this.#thread.kill();
  }

  /** What waits is refused; what the thread works on is finished first, for the reason given above. */
  async close(): Promise<void> {
    const isLoading = this.#state === 'starting';
    this.#state = 'closed';
    this.#failWaiting(shuttingDown());
    if (isLoading || this.#current) await this.#settled();
    await this.#thread.close();
  }

  #started(): void {
    this.#starts++;
    if (this.#state === 'dead') this.#state = 'starting';
  }

  #received(message: FromKokoroWorker): void {
    if (this.#isDoomed) {
      void this.#thread.kill();
      return;
    }
    if (message.type === 'unusable') this.#giveUp(message.reason);
    else if (message.type === 'ready') this.#loaded();
    else this.#finish(message);
    this.#announce();
    this.#advance();
  }

  #loaded(): void {
    this.#failedStarts = 0;
    if (this.#state === 'starting') this.#state = 'ready';
  }

  #finish(message: KokoroResult | Extract<FromKokoroWorker, { type: 'failed' }>): void {
    const task = this.#current;
    this.#current = undefined;
    if (message.type === 'failed') this.#retry(task, new Error(message.reason));
    else {
      this.#completedSteps++;
      if (task) this.#shares.charge(task.accountId, message.computeMs);
      task?.succeed(message);
    }
  }

  #crashed(reason: Error): void {
    const task = this.#current;
    this.#current = undefined;
    this.#isDoomed = false;
    if (this.#state === 'starting' && ++this.#failedStarts >= MAX_FAILED_STARTS) {
      this.#failWaiting(
        new SpeechError('synthesis_failed', 'The Kokoro voices could not be loaded. Try again.', {
          cause: reason,
        }),
      );
    }
    if (this.#state !== 'closed' && this.#state !== 'unusable') this.#state = 'dead';
    this.#retry(task, reason);
    this.#announce();
  }

  /** The thread has nothing to do any more; another one would find the same files. */
  #giveUp(reason: string): void {
    this.#unusable = new SpeechError(
      'voice_file_corrupt',
      `The files of the Kokoro voices cannot be used (${reason}): fetch them again with ` +
        '"node models/setup.mjs fetch kokoro-82m", then restart the server.',
    );
    if (this.#state === 'starting') this.#state = 'unusable';
    this.#failWaiting(this.#unusable);
    void this.#thread.close();
  }

  #retry(task: KokoroTask | undefined, reason: Error): void {
    if (task?.mayTryAgain(reason) && this.#state !== 'closed')
      this.#queue.add(task, performance.now());
  }

  #failWaiting(reason: SpeechError): void {
    for (let task = this.#take(); task; task = this.#take()) task.fail(reason);
  }

  #advance(): void {
    if (this.#state !== 'ready' || this.#isDoomed || this.#current) return;
    this.#current = this.#take();
    if (this.#current) this.#thread.post(this.#current.start());
  }

  #take(): KokoroTask | undefined {
    return this.#queue.take(() => true, performance.now())?.item;
  }

  /** Until the thread has answered, or died. */
  #settled(): Promise<void> {
    return new Promise((resolve) => {
      this.#onSettled.push(resolve);
    });
  }

  #announce(): void {
    for (const resolve of this.#onSettled.splice(0)) resolve();
  }
}

function shuttingDown(): SpeechError {
  return new SpeechError('shutting_down', 'The server is shutting down; connect again.');
}
