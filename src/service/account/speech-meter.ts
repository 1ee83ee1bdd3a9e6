import type { Caller } from '../../domain/account.ts';
import type { Model } from '../../domain/model.ts';
import type { Authenticator } from './authenticator.ts';
import { chargedWhenHeard } from './charged-when-heard.ts';
import type { ConcurrencyLimiter, SlotWish } from './concurrency-limiter.ts';
import type { Quota } from './quota.ts';

export interface SpeechMeterParts {
  readonly authenticator: Authenticator;
  readonly concurrency: ConcurrencyLimiter;
  readonly quota: Quota;
}

/** What of a chunk is paid for. */
interface MeteredChunk {
  readonly characters: number;
  readonly voiceId: string;
}

/**
 * What a connection passes before each chunk that it has spoken: its key still holds, its account
 * has room and characters left. A chunk is charged when any of it was heard.
 */
export class SpeechMeter {
  readonly #parts: SpeechMeterParts;
  readonly #model: Model;
  #caller: Caller;

  constructor(parts: SpeechMeterParts, caller: Caller, model: Model) {
    this.#parts = parts;
    this.#caller = caller;
    this.#model = model;
  }

  /**
   * @param cost its surplus, part of the characters, is reserved together with them.
   * @param wish see `ConcurrencyLimiter`.
   * @returns what must be told when the chunk is first heard, and when it has ended.
   * @throws SpeechError `invalid_api_key`, `missing_permissions`, `too_many_concurrent_requests`,
   *   `quota_exceeded`, `storage_unavailable`.
   */
  async enter({ characters, voiceId }: MeteredChunk, wish: SlotWish = {}) {
    const { authenticator, concurrency, quota } = this.#parts;
    this.#caller = await authenticator.confirm(this.#caller, 'text_to_speech');
    const slot = await concurrency.acquireInTurn(this.#caller, this.#model, wish);
    try {
      const labels = { modelId: this.#model.modelId, voiceId };
      const reservation = await quota.reserve(this.#caller, characters, labels);
      const chunk = chargedWhenHeard(reservation, characters);
      return {
        hear: chunk.hear,
        end: async () => {
          slot.release();
          await chunk.end();
        },
      };
    } catch (thrown) {
      slot.release();
      throw thrown;
    }
  }
}
