import { setTimeout as sleep } from 'node:timers/promises';

/** Another process's write takes under a millisecond, so the first looks come soon. */
const FIRST_RETRY_MS = 1;
const MAX_RETRY_MS = 20;

/** A writer's place in the queue. */
export interface WriteTurn {
  /** When the writer gives up waiting for another process, by `performance.now()`. */
  readonly untilMs: number;
  /** Lets the next writer have its turn. */
  readonly end: () => void;
}

/**
 * Who may use the one SQLite connection that many callers share. One caller writes at a time, in the
 * order they came. While another process has the database's lock, the writer tries again and again
 * until its time is up, and readers go on. Nobody reads what a transaction has not committed.
 */
export class WriteLock {
  readonly #timeoutMs: number;
  /** Ends with the turn of the last writer in the queue. */
  #lastTurn: Promise<void> = Promise.resolve();
  /** Ends with the open transaction. */
  #transaction: Promise<void> | undefined;
  #isClosed = false;

  /** @param timeoutMs how long a caller waits for another process, the time in the queue included. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Waits for the writers who came before. */
  async takeTurn(): Promise<WriteTurn> {
    const untilMs = performance.now() + this.#timeoutMs;
    const before = this.#lastTurn;
    const { promise, resolve } = signal();
    this.#lastTurn = promise;
    await before;
    return { untilMs, end: resolve };
  }

  /**
   * Begins a transaction of the writer whose turn it is.
   *
   * @param attempt throws `SQLITE_BUSY` while another process has the lock.
   * @returns what must be called when the transaction has ended.
   * @throws what the attempt throws.
   */
  async begin(turn: WriteTurn, attempt: () => void): Promise<() => void> {
    await this.whenFree(turn, attempt);
    const { promise, resolve } = signal();
    this.#transaction = promise;
    return () => {
      this.#transaction = undefined;
      resolve();
    };
  }

  /** Reads when no transaction is open. Another process may lock out readers too, for a moment. */
  read<T>(attempt: () => T): Promise<T> {
    return this.whenFree({ untilMs: performance.now() + this.#timeoutMs }, attempt);
  }

  /** Tries until no transaction is open here and no other process is in the way. */
  async whenFree<T>({ untilMs }: Pick<WriteTurn, 'untilMs'>, attempt: () => T): Promise<T> {
    for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_MS)) {
      while (this.#transaction) await this.#transaction;
      try {
        return attempt();
      } catch (thrown) {
        const isLate = this.#isClosed || performance.now() > untilMs;
        if (!isBusy(thrown) || isLate) throw thrown;
      }
      await sleep(delayMs);
    }
  }

  /** From now on nobody waits for another process. */
  close(): void {
    this.#isClosed = true;
  }
}

function isBusy(thrown: unknown): boolean {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return code.startsWith('SQLITE_BUSY');
}

function signal() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
