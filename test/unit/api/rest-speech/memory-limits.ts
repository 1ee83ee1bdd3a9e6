import type {
  CharacterQuota,
  CharacterReservation,
  ConcurrencyLimit,
} from '../../../../src/api/rest-speech/speech-services.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';
import type {
  Concurrency,
  ConcurrencySlot,
} from '../../../../src/service/account/concurrency-limiter.ts';

/** One account's characters and requests at once, counted in memory. */
export class MemoryLimits implements CharacterQuota, ConcurrencyLimit {
  readonly #characters: number;
  readonly #maximum: number;
  /** Characters that were charged. */
  charged = 0;
  /** Characters that are set aside for work in progress. */
  reserved = 0;
  /** What a crash would have charged, note by note. */
  readonly delivered: number[] = [];
  /** Holds the delivery of the next speech up. */
  beforeDelivery: () => Promise<void> = () => Promise.resolve();
  /** Requests in progress. */
  current = 0;

  constructor(characters = 1_000_000, maximum = 100) {
    this.#characters = characters;
    this.#maximum = maximum;
  }

  look(): Concurrency {
    return { current: this.current, maximum: this.#maximum, ofAccount: this.current };
  }

  acquire(): ConcurrencySlot {
    if (this.current >= this.#maximum) {
      throw new SpeechError('too_many_concurrent_requests', 'Too many requests at once.');
    }
    this.current++;
    let isHeld = true;
    return {
      ...this.look(),
      release: () => {
        if (!isHeld) throw new Error('A concurrency slot was released twice.');
        isHeld = false;
        this.current--;
      },
    };
  }

  async reserve(_caller: unknown, characters: number): Promise<CharacterReservation> {
    if (this.charged + this.reserved + characters > this.#characters) {
      throw new SpeechError('quota_exceeded', 'No characters are left.');
    }
    this.reserved += characters;
    let isOpen = true;
    const close = (spent: number) => {
      if (!isOpen) throw new Error('A reservation was closed twice.');
      isOpen = false;
      this.reserved -= characters;
      this.charged += spent;
    };
    return {
      deliver: async (heard) => {
        await this.beforeDelivery();
        this.delivered.push(heard);
      },
      settle: async (spent) => close(spent),
      refund: async () => close(0),
    };
  }
}
