import { randomUUID, timingSafeEqual } from 'node:crypto';
import { type ApiKey, DEFAULT_ACCOUNT } from '../domain/account.ts';
import type { KeyStore } from '../storage/storage.ts';
import { generateSecret, hashSecret, lastFour } from './api-key.ts';

/** Id of the key that SIDETONE_API_KEY sets. */
export const CONFIGURED_KEY_ID = 'configured';

/** A key that was just made. Only this once is the secret known. */
export interface NewKey {
  readonly key: ApiKey;
  readonly secret: string;
}

export interface KeyRingOptions {
  readonly store: KeyStore;
  /** A secret that the operator chose; valid for as long as it is configured, and never stored. */
  readonly configuredSecret: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The valid API keys: those in storage, and one that the operator may have configured. */
export class KeyRing {
  readonly #store: KeyStore;
  readonly #configured: ApiKey | undefined;
  readonly #now: () => number;

  constructor({ store, configuredSecret, now }: KeyRingOptions) {
    this.#store = store;
    this.#now = now;
    this.#configured =
      configuredSecret === undefined
        ? undefined
        : this.#keyOf(
            configuredSecret,
            CONFIGURED_KEY_ID,
            DEFAULT_ACCOUNT.accountId,
            'SIDETONE_API_KEY',
          );
  }

  /** Makes a key when there is none at all, so that a fresh installation can be called. */
  async ensureFirstKey(): Promise<NewKey | undefined> {
    const keys = await this.list(DEFAULT_ACCOUNT.accountId);
    return keys.length > 0 ? undefined : this.create(DEFAULT_ACCOUNT.accountId, 'first key');
  }

  async create(accountId: string, name: string): Promise<NewKey> {
    const secret = generateSecret();
    const key = this.#keyOf(secret, randomUUID(), accountId, name);
    await this.#store.add(key);
    return { key, secret };
  }

  /** The configured key first, then the stored ones, oldest first. */
  async list(accountId: string): Promise<readonly ApiKey[]> {
    const stored = await this.#store.list(accountId);
    return this.#configured?.accountId === accountId ? [this.#configured, ...stored] : stored;
  }

  /**
   * Makes a stored key invalid at once.
   * @returns whether the account had such a key. The configured one is not for callers to remove.
   */
  async revoke(accountId: string, keyId: string): Promise<boolean> {
    return this.#store.remove(accountId, keyId);
  }

  /**
   * The key that a secret opens. Asks storage every time (tens of microseconds): a cache would keep
   * a key that another process revoked alive.
   */
  async find(secret: string): Promise<ApiKey | undefined> {
    const secretHash = hashSecret(secret);
    if (this.#configured && sameHash(this.#configured.secretHash, secretHash))
      return this.#configured;
    const stored = await this.#store.findByHash(secretHash);
    return stored && sameHash(stored.secretHash, secretHash) ? stored : undefined;
  }

  #keyOf(secret: string, keyId: string, accountId: string, name: string): ApiKey {
    return {
      keyId,
      accountId,
      name,
      secretHash: hashSecret(secret),
      lastFour: lastFour(secret),
      createdAtMs: this.#now(),
    };
  }
}

/** Takes the same time wherever two hashes differ. */
function sameHash(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));
}
