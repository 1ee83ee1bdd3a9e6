import { SpeechError } from '../../domain/errors.ts';

/** What may be under way at once. */
export interface UploadBounds {
  readonly uploads: number;
  readonly bytes: number;
}

export interface UploadLimits {
  /** Of one account, whichever of its keys send. */
  readonly ofAccount: UploadBounds;
  readonly inAll: UploadBounds;
}

/** Counts uploads that are under way, by what they announce. */
export class UploadLimiter {
  readonly #limits: UploadLimits;
  readonly #ofAccounts = new Map<string, UploadBounds>();
  #inAll: UploadBounds = { uploads: 0, bytes: 0 };

  constructor(limits: UploadLimits) {
    this.#limits = limits;
  }

  /**
   * @param bytes the most that will come.
   * @returns what ends the upload; to be called once.
   * @throws SpeechError `too_many_concurrent_requests`, `system_busy`.
   */
  admit(accountId: string, bytes: number): () => void {
    const { ofAccount, inAll } = this.#limits;
    if (!fits(this.#ofAccount(accountId), bytes, ofAccount)) {
      throw new SpeechError(
        'too_many_concurrent_requests',
        `An account can send ${ofAccount.uploads} uploads at once. Send the next when one of them is done.`,
      );
    }
    if (!fits(this.#inAll, bytes, inAll)) {
      throw new SpeechError(
        'system_busy',
        'The server is receiving as many uploads as it can. Send this one again in a moment.',
      );
    }
    this.#count(accountId, 1, bytes);
    return () => this.#count(accountId, -1, -bytes);
  }

  /** Uploads under way. */
  get size(): number {
    return this.#inAll.uploads;
  }

  #ofAccount(accountId: string): UploadBounds {
    return this.#ofAccounts.get(accountId) ?? { uploads: 0, bytes: 0 };
  }

  #count(accountId: string, uploads: number, bytes: number): void {
    this.#inAll = sum(this.#inAll, uploads, bytes);
    const ofAccount = sum(this.#ofAccount(accountId), uploads, bytes);
    if (ofAccount.uploads === 0) this.#ofAccounts.delete(accountId);
    else this.#ofAccounts.set(accountId, ofAccount);
  }
}

function fits(underWay: UploadBounds, bytes: number, limit: UploadBounds): boolean {
  return underWay.uploads < limit.uploads && underWay.bytes + bytes <= limit.bytes;
}

function sum(underWay: UploadBounds, uploads: number, bytes: number): UploadBounds {
  return { uploads: underWay.uploads + uploads, bytes: underWay.bytes + bytes };
}
