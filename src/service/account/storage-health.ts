import {
  type StorageFault,
  StorageNotAnswering,
  storageFaultOf,
} from '../storage/storage-fault.ts';
import { settledWithin } from './settled-within.ts';

/** What somebody who speaks waits for storage: less than what their listener has in hand. */
const PATIENCE_MS = 250;
/** The same while storage is known to fail: enough for storage that works again. */
const IMPATIENCE_MS = 20;
/** Trouble is over when nothing failed or was late for so long: storage that is slow comes and goes. */
const RECOVERY_MS = 2_000;
/** How long speech goes on while its charges cannot be written. */
const GRACE_MS = 600_000;

/** What `GET /health` tells of a part of storage that fails. */
export interface StorageProblem {
  readonly part: string;
  readonly reason: StorageFault;
  readonly forMs: number;
}

export interface StorageHealthOptions {
  /** Named in log and health. */
  readonly part: 'database' | 'history';
  readonly log: {
    error(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
  /** Milliseconds that never go back. */
  readonly now: () => number;
  /** A clock; the system's unless given. */
  readonly after?: After;
}

/** Runs `action` once, later. @returns what calls it off. */
type After = (delayMs: number, action: () => void) => () => void;

const afterTimeout: After = (delayMs, action) => {
  const timer = setTimeout(action, delayMs).unref();
  return () => clearTimeout(timer);
};

/**
 * Whether one part of storage does what it is asked to. Those who speak ask it through `inTime`, so
 * that storage which fails or hangs is never heard. The log names each cause once, not at each request.
 */
export class StorageHealth {
  readonly #options: StorageHealthOptions;
  #failing: { readonly reason: StorageFault; readonly sinceMs: number } | undefined;
  #failures = 0;
  #callOffRecovery: (() => void) | undefined;

  constructor(options: StorageHealthOptions) {
    this.#options = options;
  }

  /** Undefined while all is well. */
  get problem(): StorageProblem | undefined {
    const { part, now } = this.#options;
    const failing = this.#failing;
    return failing && { part, reason: failing.reason, forMs: Math.round(now() - failing.sinceMs) };
  }

  /** Whether it has failed for so long that speech must be refused. */
  get isBeyondGrace(): boolean {
    return (this.problem?.forMs ?? 0) > GRACE_MS;
  }

  /**
   * Waits a moment for something to be written. Its outcome counts, whenever it comes.
   *
   * @returns what it resolves to; undefined when it failed, or is not done in time.
   */
  async inTime<T>(writing: Promise<T>): Promise<T | undefined> {
    let isDone = false;
    const outcome = writing.then(
      (value) => {
        isDone = true;
        this.worked();
        return value;
      },
      (thrown) => {
        isDone = true;
        this.failed(thrown);
        return undefined;
      },
    );
    const patient = settledWithin(outcome, PATIENCE_MS).finally(() => {
      if (!isDone) this.#late();
    });
    return this.#failing ? settledWithin(outcome, IMPATIENCE_MS) : patient;
  }

  failed(thrown: unknown): void {
    this.#stayInTrouble();
    const { part, log, now } = this.#options;
    const reason = storageFaultOf(thrown);
    const known = this.#failing;
    this.#failures++;
    if (known?.reason === reason) return;
    this.#failing = { reason, sinceMs: known?.sinceMs ?? now() };
    log.error({ part, reason, err: thrown }, 'storage fails');
  }

  /** Something was written. Trouble is over when that goes on for a while. */
  worked(): void {
    if (!this.#failing) return;
    const { after = afterTimeout } = this.#options;
    this.#callOffRecovery ??= after(RECOVERY_MS, () => this.#recovered());
  }

  #late(): void {
    if (this.#failing) this.#stayInTrouble();
    else this.failed(new StorageNotAnswering(PATIENCE_MS));
  }

  #stayInTrouble(): void {
    this.#callOffRecovery?.();
    this.#callOffRecovery = undefined;
  }

  #recovered(): void {
    this.#callOffRecovery = undefined;
    const { problem } = this;
    if (!problem) return;
    const { part, reason, forMs } = problem;
    this.#options.log.warn(
      { part, reason, forMs, failures: this.#failures },
      'storage works again',
    );
    this.#failing = undefined;
    this.#failures = 0;
  }
}
