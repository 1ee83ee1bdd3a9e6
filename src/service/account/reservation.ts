import type { Hold, UsageStore } from '../storage/usage-store.ts';

/** Characters set aside for one request. Ends with one of `settle` and `refund`; later calls do nothing. */
export class Reservation {
  readonly #usage: UsageStore;
  readonly #hold: Hold;
  readonly #onEnd: () => void;
  #isOpen = true;

  /** @param onEnd called once, when the reservation has ended. */
  constructor(usage: UsageStore, hold: Hold, onEnd: () => void) {
    this.#usage = usage;
    this.#hold = hold;
    this.#onEnd = onEnd;
  }

  /** Characters that are set aside. */
  get characters(): number {
    return this.#hold.characters;
  }

  /**
   * Notes how many characters the caller has been given the speech of so far: what a crash from here
   * on charges. To be called before they are handed out, and only by doors that stream.
   */
  async deliver(characters: number): Promise<void> {
    if (this.#isOpen) await this.#usage.deliver(this.#hold.holdId, characters);
  }

  /** Charges so many characters and gives the others back. */
  async settle(characters: number): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      await this.#usage.settle(this.#hold.holdId, characters);
      this.#onEnd();
    } catch (thrown) {
      // Storage refused, so nothing was charged: the caller may try again, or leave it to the lease.
      this.#isOpen = true;
      throw thrown;
    }
  }

  /** Gives everything back: nothing was delivered. */
  async refund(): Promise<void> {
    await this.settle(0);
  }
}
