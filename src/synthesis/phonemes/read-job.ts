import type { ClauseReading } from './clause-reading.ts';
import type { ReadRequest } from './espeak-protocol.ts';

export type ClauseRequest = Omit<ReadRequest, 'id'>;

/** The clauses of one text, on their way to the thread and back. */
export class ReadJob {
  /** The readings in the order of the clauses. */
  readonly result: Promise<readonly ClauseReading[]>;
  readonly #clauses: readonly ClauseRequest[];
  readonly #readings: ClauseReading[] = [];
  readonly #signal: AbortSignal;
  #resolve: (readings: readonly ClauseReading[]) => void = () => undefined;
  #reject: (reason: unknown) => void = () => undefined;
  #taken = 0;
  #isSettled = false;

  /** @param signal aborting it fails the job with the signal's reason. */
  constructor(clauses: readonly ClauseRequest[], signal: AbortSignal) {
    this.#clauses = clauses;
    this.#signal = signal;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    if (signal.aborted) this.#abort();
    else signal.addEventListener('abort', this.#abort);
    if (clauses.length === 0) this.#finish();
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** @returns the next clause to send; undefined when all were taken or no answer is needed. */
  take(): ClauseRequest | undefined {
    return this.#isSettled ? undefined : this.#clauses[this.#taken++];
  }

  /** Answers come in the order in which the clauses were taken. */
  answer(reading: ClauseReading): void {
    if (this.#isSettled) return;
    this.#readings.push(reading);
    if (this.#readings.length === this.#clauses.length) this.#finish();
  }

  fail(reason: unknown): void {
    this.#settle(() => this.#reject(reason));
  }

  #finish(): void {
    this.#settle(() => this.#resolve(this.#readings));
  }

  #settle(report: () => void): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#signal.removeEventListener('abort', this.#abort);
    report();
  }

  readonly #abort = (): void => this.fail(this.#signal.reason);
}
