import { SpeechError } from '../../../domain/errors.ts';
import type { Urgent } from '../deadline-queue.ts';
import type { KokoroResult, KokoroStep } from './kokoro-protocol.ts';

const MAX_ATTEMPTS = 2;

/** A step that somebody waits for. What comes after its end, an abort for instance, changes nothing. */
export class KokoroTask implements Urgent {
  readonly accountId: string;
  readonly #urgency: Urgent;
  readonly result: Promise<KokoroResult>;
  readonly #step: KokoroStep;
  #resolve: (result: KokoroResult) => void = () => undefined;
  #reject: (reason: unknown) => void = () => undefined;
  #isEnded = false;
  #attempts = 0;

  constructor(step: KokoroStep, urgency: Urgent) {
    this.#step = step;
    this.accountId = urgency.accountId;
    this.#urgency = urgency;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  deadline(): number {
    return this.#urgency.deadline();
  }

  start(): KokoroStep {
    this.#attempts++;
    return this.#step;
  }

  succeed(result: KokoroResult): void {
    this.#isEnded = true;
    this.#resolve(result);
  }

  fail(reason: unknown): void {
    this.#isEnded = true;
    this.#reject(reason);
  }

  /** Whether the step is to be done again; fails it when that was tried. */
  mayTryAgain(cause: Error): boolean {
    if (this.#isEnded) return false;
    if (this.#attempts < MAX_ATTEMPTS) return true;
    this.fail(
      new SpeechError(
        'synthesis_failed',
        'This text could not be spoken: the synthesis failed twice at the same place. Other texts ' +
          'are not affected; try again with a different wording.',
        { cause },
      ),
    );
    return false;
  }
}
