import { setMaxListeners } from 'node:events';
import { SpeechError } from '../../domain/errors.ts';
import { SupervisedThread } from '../../threads/supervised-thread.ts';
import { threadEntry } from '../../threads/thread-entry.ts';
import type { ClauseReading } from './clause-reading.ts';
import type { ReadRequest, ThreadMessage } from './espeak-protocol.ts';
import { type ClauseRequest, ReadJob } from './read-job.ts';

/** Clauses handed over at once: enough that the thread never waits for the next. */
const PIPELINE_DEPTH = 8;
/** A clause takes about 1 ms; a thread that is silent for this long is stuck. */
const STUCK_AFTER_MS = 2_000;
/** Starting takes about 0.4 s. */
const START_LIMIT_MS = 20_000;
const MOST_ATTEMPTS = 2;

export interface EspeakThreadOptions {
  /** The compiled thread entry, when it is not espeak-ng's own. */
  readonly entry?: URL;
  /** A thread that takes longer than this over a clause is replaced. */
  readonly stuckAfterMs?: number;
}

interface SentClause {
  readonly job: ReadJob;
  readonly request: ReadRequest;
  attempts: number;
}

/**
 * espeak-ng in its thread. Jobs take turns by clauses, a few ahead of the answers. A thread
 * that dies or gets stuck is replaced, and what it had not answered is asked again; a clause that
 * two threads died over fails its job.
 */
export class EspeakThread {
  readonly #thread: SupervisedThread<ReadRequest, ThreadMessage>;
  readonly #stuckAfterMs: number;
  /** Jobs with clauses yet to be sent. */
  #waiting: ReadJob[] = [];
  /** By id, oldest first; the thread works on the oldest. */
  readonly #sent = new Map<number, SentClause>();
  #nextId = 0;
  #isReady = false;
  #isClosed = false;
  #failedStarts = 0;
  #watchdog: NodeJS.Timeout | undefined;

  constructor(options: EspeakThreadOptions = {}) {
    this.#stuckAfterMs = options.stuckAfterMs ?? STUCK_AFTER_MS;
    this.#thread = new SupervisedThread({
      entry: options.entry ?? threadEntry('synthesis/phonemes/espeak-worker.ts'),
      name: 'espeak',
      workerData: undefined,
      onStart: () => this.#watch(START_LIMIT_MS),
      onMessage: (message: ThreadMessage) => this.#receive(message),
      onCrash: (reason) => this.#recover(reason),
    });
  }

  /**
   * @returns the readings of the clauses, in their order.
   * @throws SpeechError `voice_file_corrupt` for a language that espeak-ng does not have,
   *   `synthesis_failed` when threads keep dying, `shutting_down` after `close`; the signal's
   *   reason once it is aborted.
   */
  read(clauses: readonly ClauseRequest[], signal: AbortSignal): Promise<readonly ClauseReading[]> {
    // A context's signal serves all its chunks, and Node warns of more than ten.
    setMaxListeners(0, signal);
    const job = new ReadJob(clauses, signal);
    if (this.#isClosed) job.fail(closedError());
    this.#waiting.push(job);
    this.#send();
    return job.result;
  }

  /** Kills the thread as a crash would: it is replaced, and what it had not answered asked again. */
  kill(): Promise<void> {
    return this.#thread.kill();
  }

  /** Fails what is still unanswered and ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#watchdog);
    this.#failAll(closedError());
    await this.#thread.close();
  }

  #send(): void {
    if (!this.#isReady) return;
    while (this.#sent.size < PIPELINE_DEPTH) {
      const job = this.#waiting.shift();
      if (!job) return;
      const clause = job.take();
      if (!clause) continue;
      this.#post(job, clause);
      // Jobs take turns, so that a text of very many clauses holds nobody up.
      this.#waiting.push(job);
    }
  }

  #post(job: ReadJob, clause: ClauseRequest): void {
    const request = { id: this.#nextId++, ...clause };
    if (this.#sent.size === 0) this.#watch(this.#stuckAfterMs);
    this.#sent.set(request.id, { job, request, attempts: 0 });
    this.#thread.post(request);
  }

  #receive(message: ThreadMessage): void {
    clearTimeout(this.#watchdog);
    if (message.type === 'ready') {
      this.#isReady = true;
      this.#failedStarts = 0;
      for (const { request } of this.#sent.values()) this.#thread.post(request);
    } else {
      const sent = this.#sent.get(message.id);
      this.#sent.delete(message.id);
      if (message.type === 'reading') sent?.job.answer(message.reading);
      else sent?.job.fail(unknownLanguageError(sent.request.language));
    }
    if (this.#sent.size > 0) this.#watch(this.#stuckAfterMs);
    this.#send();
  }

  #recover(reason: Error): void {
    clearTimeout(this.#watchdog);
    const failure = new SpeechError(
      'synthesis_failed',
      'The text could not be turned into phonemes; try again, or change the text.',
      { cause: reason },
    );
    const [oldest] = this.#sent.values();
    if (this.#isReady && oldest && ++oldest.attempts === MOST_ATTEMPTS) oldest.job.fail(failure);
    if (!this.#isReady && ++this.#failedStarts >= MOST_ATTEMPTS) this.#failAll(failure);
    for (const [id, { job }] of this.#sent) if (job.isSettled) this.#sent.delete(id);
    this.#isReady = false;
  }

  #failAll(reason: SpeechError): void {
    for (const job of this.#waiting) job.fail(reason);
    for (const { job } of this.#sent.values()) job.fail(reason);
    this.#waiting = [];
    this.#sent.clear();
  }

  #watch(limitMs: number): void {
    clearTimeout(this.#watchdog);
    const watchdog = setTimeout(() => {
      // This thread may have been the slow one: answers that lie ready are received first.
      setImmediate(() => {
        if (this.#watchdog === watchdog && !this.#isClosed) void this.#thread.kill();
      });
    }, limitMs);
    this.#watchdog = watchdog.unref();
  }
}

function unknownLanguageError(language: string): SpeechError {
  return new SpeechError(
    'voice_file_corrupt',
    `The voice's file asks for espeak-ng's "${language}", which does not exist; ` +
      'correct "espeak.voice" in the .onnx.json beside the model.',
  );
}

function closedError(): SpeechError {
  return new SpeechError('shutting_down', 'The server is shutting down; connect again.');
}
