import { SpeechError } from '../../domain/errors.ts';
import { SupervisedThread } from '../../threads/supervised-thread.ts';
import { threadEntry } from '../../threads/thread-entry.ts';
import type { FromWorker, ToWorker } from './worker-protocol.ts';

export type Reply = Exclude<FromWorker, { type: 'failed' }>;

/** The thread died while it worked on a message; the same message may succeed in another. */
export class WorkerCrash extends Error {
  override readonly name = 'WorkerCrash';
}

const CLOSED = 'The engine was closed.';

interface Task {
  readonly message: ToWorker;
  readonly reply: Promise<Reply>;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (reason: Error) => void;
}

/** A thread that does one thing at a time and answers each message with a promise. */
export class EngineWorker {
  readonly #thread: SupervisedThread<ToWorker, FromWorker>;
  readonly #onRestart: (worker: EngineWorker) => void;
  readonly #waiting: Task[] = [];
  readonly #models = new Set<string>();
  #current: Task | undefined;
  #isRunning = false;
  #isDoomed = false;
  #isClosed = false;
  #restarts = -1;

  /** @param onRestart a new thread runs in place of one that died; no model is loaded in it. */
  constructor(index: number, onRestart: (worker: EngineWorker) => void) {
    this.#onRestart = onRestart;
    this.#thread = new SupervisedThread({
      entry: threadEntry('synthesis/engine/worker.ts'),
      name: `engine-${index}`,
      workerData: undefined,
      onStart: () => this.#started(),
      onMessage: (reply) => this.#finish(reply),
      onCrash: (reason) => this.#crashed(reason),
    });
    // The first thread starts before `#thread` is there to send to.
    this.#advance();
  }

  /** Whether a message sent now would be worked on at once. */
  get isIdle(): boolean {
    return (
      this.#isRunning &&
      !this.#isDoomed &&
      !this.#isClosed &&
      !this.#current &&
      this.#waiting.length === 0
    );
  }

  get restarts(): number {
    return this.#restarts;
  }

  has(modelId: string): boolean {
    return this.#models.has(modelId);
  }

  /**
   * Sends a message after those that wait already.
   * @throws WorkerCrash when the thread dies over it; SpeechError that the thread reports.
   */
  async run(message: ToWorker): Promise<Reply> {
    if (message.type === 'unload') this.#models.delete(message.modelId);
    if (this.#isClosed) throw new WorkerCrash(CLOSED);
    const task = taskFor(message);
    this.#waiting.push(task);
    this.#advance();
    const reply = await task.reply;
    if (message.type === 'load') this.#models.add(message.modelId);
    return reply;
  }

  /**
   * Ends the thread as a crash would: what it works on is lost. Waits until the thread is out of the
   * runtime's native code, where ending it would end the whole process.
   */
  async kill(): Promise<void> {
    const current = this.#current;
    this.#isDoomed = true;
    if (!current) await this.#thread.kill();
    else await current.reply.catch(() => undefined);
  }

  /** What waits is dropped; what the thread works on is finished first, for the reason given above. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const task of this.#waiting.splice(0)) task.reject(new WorkerCrash(CLOSED));
    await this.#current?.reply.catch(() => undefined);
    await this.#thread.close();
    this.#isRunning = false;
  }

  #started(): void {
    this.#isRunning = true;
    this.#restarts++;
    if (this.#restarts === 0) return;
    this.#onRestart(this);
    this.#advance();
  }

  #crashed(reason: Error): void {
    const task = this.#current;
    this.#current = undefined;
    this.#isRunning = false;
    this.#isDoomed = false;
    this.#models.clear();
    task?.reject(new WorkerCrash('The synthesis thread died.', { cause: reason }));
  }

  #finish(reply: FromWorker): void {
    if (this.#isDoomed) {
      void this.#thread.kill();
      return;
    }
    const task = this.#current;
    this.#current = undefined;
    if (reply.type === 'failed') task?.reject(new SpeechError(reply.code, reply.message));
    else task?.resolve(reply);
    this.#advance();
  }

  #advance(): void {
    if (!this.#isRunning || this.#isDoomed || this.#current) return;
    this.#current = this.#waiting.shift();
    if (this.#current) this.#thread.post(this.#current.message);
  }
}

function taskFor(message: ToWorker): Task {
  let settle: Pick<Task, 'resolve' | 'reject'> | undefined;
  const reply = new Promise<Reply>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { message, reply, ...(settle as Pick<Task, 'resolve' | 'reject'>) };
}
