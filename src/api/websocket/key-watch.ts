import { SpeechError } from '../../domain/errors.ts';

/**
 * How often the key of an open connection is looked at again. A revoked key ends its connections
 * within 20 seconds, which leaves a slow storage some time. A look is one indexed query: 600
 * connections cost 40 of them a second.
 */
export const CONFIRM_INTERVAL_MS = 15_000;

/** Runs `action` once, later. @returns what calls it off. */
type After = (delayMs: number, action: () => void) => () => void;

const afterTimeout: After = (delayMs, action) => {
  const timer = setTimeout(action, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};

/**
 * Looks from time to time whether the opener of a connection may still speak on it, so that one
 * that is silent does not outlive its key.
 */
export class KeyWatch {
  readonly #intervalMs: number;
  readonly #confirm: () => Promise<unknown>;
  readonly #onRefused: (error: SpeechError) => void;
  readonly #after: After;
  #callOff: () => void = () => undefined;
  #isClosed = false;

  /**
   * @param confirm throws a `SpeechError` when the key no longer holds. Any other failure tells
   *   nothing about the key: the next look, or the next chunk, will.
   * @param onRefused called once, when it no longer does.
   * @param after a clock; the system's unless given.
   */
  constructor(
    intervalMs: number,
    confirm: () => Promise<unknown>,
    onRefused: (error: SpeechError) => void,
    after = afterTimeout,
  ) {
    this.#intervalMs = intervalMs;
    this.#confirm = confirm;
    this.#onRefused = onRefused;
    this.#after = after;
    this.#wait();
  }

  close(): void {
    this.#isClosed = true;
    this.#callOff();
  }

  #wait(): void {
    if (this.#isClosed) return;
    this.#callOff = this.#after(this.#intervalMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    try {
      await this.#confirm();
    } catch (thrown) {
      if (thrown instanceof SpeechError && !this.#isClosed) {
        this.close();
        this.#onRefused(thrown);
      }
    }
    this.#wait();
  }
}
