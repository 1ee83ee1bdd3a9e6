import type { PlacedHold, UsageRecorder } from './usage-recorder.ts';

/**
 * Characters set aside for one request. Ends with one of `settle` and `refund`; later calls do
 * nothing. No method fails, nor waits long for storage.
 */
export class Reservation {
  readonly #recorder: UsageRecorder;
  readonly #placed: PlacedHold;
  readonly #onEnd: () => void;
  #isOpen = true;

  /** @param onEnd called once, when the reservation has ended. */
  constructor(recorder: UsageRecorder, placed: PlacedHold, onEnd: () => void) {
    this.#recorder = recorder;
    this.#placed = placed;
    this.#onEnd = onEnd;
  }

  /** Characters that are set aside. */
  get characters(): number {
    return this.#placed.hold.characters;
  }

  /**
   * Notes how many characters the caller has been given the speech of so far: what a crash from here
   * on charges. To be called before they are handed out.
   */
  async deliver(characters: number): Promise<void> {
    if (this.#isOpen) await this.#recorder.deliver(this.#placed, characters);
  }

  /** Charges so many characters and gives the others back. */
  async settle(characters: number): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#recorder.settle(this.#placed, characters);
    this.#onEnd();
  }

  /** Gives everything back: nothing was delivered. */
  async refund(): Promise<void> {
    await this.settle(0);
  }
}
