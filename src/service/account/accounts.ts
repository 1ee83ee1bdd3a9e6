import { randomUUID } from 'node:crypto';
import type { AccountRecord, Tier } from '../../domain/account.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { AccountSettings, AccountStore } from '../storage/account-store.ts';
import { TIER_LIMITS } from './tiers.ts';

/** Absent limits are those of the tier; null is none. */
export interface AccountWish {
  readonly name?: string | undefined;
  readonly tier?: Tier | undefined;
  readonly characterLimit?: number | null | undefined;
  readonly concurrencyLimit?: number | null | undefined;
}

/** The accounts of a server, for its administrators. */
export class Accounts {
  readonly #store: AccountStore;
  readonly #now: () => number;
  readonly #onChanged: () => void;

  /**
   * @param now in milliseconds since 1970.
   * @param onChanged called behind each change of an account.
   */
  constructor(store: AccountStore, now: () => number, onChanged: () => void = () => undefined) {
    this.#store = store;
    this.#now = now;
    this.#onChanged = onChanged;
  }

  /**
   * @param accountId one is made up without it.
   * @throws SpeechError `already_exists`.
   */
  async create(
    wish: AccountWish & { readonly name: string; readonly tier: Tier },
    accountId: string = randomUUID(),
  ): Promise<AccountRecord> {
    const limits = tierLimits(wish.tier);
    const account: AccountRecord = {
      ...limits,
      ...given(wish),
      accountId,
      name: wish.name,
      tier: wish.tier,
      createdAtMs: this.#now(),
    };
    if (await this.#store.add(account)) return account;
    throw new SpeechError('already_exists', `There is an account "${accountId}" already.`, {
      param: 'account_id',
    });
  }

  /**
   * Changes what is given. A new tier brings its limits along, unless others are given with it.
   * @throws SpeechError `not_found`.
   */
  async change(accountId: string, wish: AccountWish): Promise<AccountRecord> {
    const settings = { ...(wish.tier && tierLimits(wish.tier)), ...given(wish) };
    const changed = await this.#store.change(accountId, settings);
    this.#onChanged();
    return changed ?? throwNotFound(accountId);
  }

  /** @throws SpeechError `not_found`. */
  async find(accountId: string): Promise<AccountRecord> {
    return (await this.#store.find(accountId)) ?? throwNotFound(accountId);
  }

  /** Oldest first. */
  async list(): Promise<readonly AccountRecord[]> {
    return this.#store.list();
  }
}

function tierLimits(tier: Tier): Pick<AccountRecord, 'characterLimit' | 'concurrencyLimit'> {
  const { charactersAMonth, concurrency } = TIER_LIMITS[tier];
  return { characterLimit: charactersAMonth, concurrencyLimit: concurrency };
}

function given({
  name,
  tier,
  characterLimit,
  concurrencyLimit,
}: AccountWish): Partial<AccountSettings> {
  return {
    ...(name !== undefined && { name }),
    ...(tier !== undefined && { tier }),
    ...(characterLimit !== undefined && { characterLimit }),
    ...(concurrencyLimit !== undefined && { concurrencyLimit }),
  };
}

function throwNotFound(accountId: string): never {
  throw new SpeechError('not_found', `There is no account with the id "${accountId}".`, {
    param: 'account_id',
  });
}
