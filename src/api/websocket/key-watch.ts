import { SpeechError } from '../../domain/errors.ts';

/**
 * Looks from time to time whether whoever opened a connection may still speak on it, so that one
 * that is silent does not outlive its key.
 */
export class KeyWatch {
  readonly #timer: NodeJS.Timeout;
  #isLooking = false;

  /**
   * @param confirm throws a `SpeechError` when the key no longer holds. Any other failure tells
   *   nothing about the key: the next look, or the next chunk, will.
   * @param onRefused called once, when it no longer does.
   */
  constructor(
    intervalMs: number,
    confirm: () => Promise<unknown>,
    onRefused: (error: SpeechError) => void,
  ) {
    this.#timer = setInterval(() => void this.#look(confirm, onRefused), intervalMs);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(
    confirm: () => Promise<unknown>,
    onRefused: (error: SpeechError) => void,
  ): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await confirm();
    } catch (thrown) {
      if (!(thrown instanceof SpeechError)) return;
      this.close();
      onRefused(thrown);
    } finally {
      this.#isLooking = false;
    }
  }
}
