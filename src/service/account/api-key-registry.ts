import { randomUUID, timingSafeEqual } from 'node:crypto';
import { type ApiKey, DEFAULT_ACCOUNT, type KeySettings } from '../../domain/account.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { PublishEvent } from '../../domain/service-event.ts';
import { LastKnown } from '../storage/last-known.ts';
import type { KeyStore, OwnedKey } from '../storage/storage.ts';
import { generateSecret, hashSecret, lastFour } from './api-key.ts';
import { billingPeriod } from './billing-period.ts';

/** Id of the key that SIDETONE_API_KEY sets. */
export const CONFIGURED_KEY_ID = 'configured';

/** Of one account. Each is a row that every listing reads. */
const MAX_KEYS = 500;

/** May do everything, from anywhere. */
export const UNRESTRICTED = {
  scopes: 'all',
  characterLimit: null,
  allowedAddresses: null,
} as const;

/** A key with a secret that was just made. Only this once is the secret known. */
export interface NewKey {
  readonly key: ApiKey;
  readonly secret: string;
}

export interface ApiKeyRegistryOptions {
  readonly store: KeyStore;
  /** A secret that the operator chose; valid for as long as it is configured, and never stored. */
  readonly configuredSecret: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Hears of rotated keys. */
  readonly tell?: PublishEvent;
}

/** The valid API keys: those in storage, and one that the operator may have configured. */
export class ApiKeyRegistry {
  readonly #store: KeyStore;
  readonly #configured: ApiKey | undefined;
  readonly #known = new LastKnown<OwnedKey | undefined>();
  readonly #now: () => number;
  readonly #tell: PublishEvent | undefined;

  constructor({ store, configuredSecret, now, tell }: ApiKeyRegistryOptions) {
    this.#store = store;
    this.#now = now;
    this.#tell = tell;
    if (configuredSecret === undefined) return;
    const { accountId } = DEFAULT_ACCOUNT;
    const settings = { ...UNRESTRICTED, name: 'SIDETONE_API_KEY' };
    this.#configured = this.#keyOf(configuredSecret, CONFIGURED_KEY_ID, accountId, settings);
  }

  /** Makes a key when there is none at all, so that a fresh installation can be called. */
  async ensureFirstKey(): Promise<NewKey | undefined> {
    const keys = await this.list(DEFAULT_ACCOUNT.accountId);
    return keys.length > 0 ? undefined : this.create(DEFAULT_ACCOUNT.accountId, 'first key');
  }

  /**
   * @param restrictions none unless given.
   * @throws SpeechError `not_found` when there is no such account, `account_limit_reached`.
   */
  async create(
    accountId: string,
    name: string,
    restrictions: Partial<KeySettings> = {},
  ): Promise<NewKey> {
    if (!(await this.#store.findOwner(accountId))) {
      throw new SpeechError('not_found', `There is no account with the id "${accountId}".`, {
        param: 'account_id',
      });
    }
    const secret = generateSecret();
    const settings = { ...UNRESTRICTED, ...restrictions, name };
    const key = this.#keyOf(secret, randomUUID(), accountId, settings);
    if (await this.#store.add(key, MAX_KEYS)) return { key, secret };
    throw new SpeechError(
      'account_limit_reached',
      `The account has ${MAX_KEYS} API keys, and can have no more. Revoke one that nobody uses.`,
    );
  }

  /** The configured key first, then the stored ones, oldest first. */
  async list(accountId: string): Promise<readonly ApiKey[]> {
    const stored = await this.#store.list(accountId);
    return this.#configured?.accountId === accountId ? [this.#configured, ...stored] : stored;
  }

  /** Characters that each key of an account was charged this month, or has on hold, by key id. */
  async usedCharacters(accountId: string): Promise<ReadonlyMap<string, number>> {
    const owner = await this.#store.findOwner(accountId);
    if (!owner) return new Map();
    const { startMs } = billingPeriod(owner.createdAtMs, this.#now());
    return this.#store.usedCharacters(accountId, startMs);
  }

  /** @returns the key as it is now; undefined when the account stores no such key. */
  async change(
    accountId: string,
    keyId: string,
    settings: Partial<KeySettings>,
  ): Promise<ApiKey | undefined> {
    return this.#forgetting(this.#store.change(accountId, keyId, settings));
  }

  /** To be called when an account was changed: limits are read together with keys. */
  forgetKnown(): void {
    this.#known.forget();
  }

  /**
   * Gives a stored key a new secret. The old one opens nothing from then on, in other processes within
   * a second; connections that it opened are refused at their next word (`Authenticator.confirm`).
   *
   * @returns undefined when the account stores no such key.
   */
  async rotate(accountId: string, keyId: string): Promise<NewKey | undefined> {
    const secret = generateSecret();
    const key = await this.#forgetting(
      this.#store.replaceSecret(accountId, keyId, {
        secretHash: hashSecret(secret),
        lastFour: lastFour(secret),
      }),
    );
    if (!key) return undefined;
    await this.#tell?.({
      type: 'key.rotated',
      accountId,
      data: { api_key_id: keyId, name: key.name, last_four: key.lastFour },
    });
    return { key, secret };
  }

  /**
   * Makes a stored key invalid: at once here, within a second in other processes.
   * @returns whether the account had such a key. The configured one is not for callers to remove.
   */
  async revoke(accountId: string, keyId: string): Promise<boolean> {
    return this.#forgetting(this.#store.remove(accountId, keyId));
  }

  /** The key that a secret opens, and its account. */
  async find(secret: string): Promise<OwnedKey | undefined> {
    return this.findByHash(hashSecret(secret));
  }

  /**
   * The same by the secret's hash. Asks storage once a second at most (`LastKnown`), so that a key that
   * another process revoked ends soon. While storage fails or does not answer, a key that was valid in
   * the last ten minutes stays valid.
   */
  async findByHash(secretHash: string): Promise<OwnedKey | undefined> {
    return this.#known.read(secretHash, () => this.#find(secretHash));
  }

  async #forgetting<Result>(change: Promise<Result>): Promise<Result> {
    const result = await change;
    this.#known.forget();
    return result;
  }

  async #find(secretHash: string): Promise<OwnedKey | undefined> {
    const configured = this.#configured;
    if (configured && sameHash(configured.secretHash, secretHash)) {
      const account = await this.#store.findOwner(configured.accountId);
      return account && { key: configured, account };
    }
    const stored = await this.#store.findByHash(secretHash);
    return stored && sameHash(stored.key.secretHash, secretHash) ? stored : undefined;
  }

  /**
   * A key by its id, for those who ask in its name without its secret: calls that a carrier signs.
   * @param keyId the first key of the default account unless given.
   * @throws SpeechError `authentication_required` when there is no such key.
   */
  async findById(keyId: string | undefined): Promise<OwnedKey> {
    const { accountId } = DEFAULT_ACCOUNT;
    const id = keyId ?? (await this.list(accountId))[0]?.keyId;
    const configured = this.#configured;
    if (configured && id === CONFIGURED_KEY_ID) {
      const account = await this.#store.findOwner(accountId);
      if (account) return { key: configured, account };
    }
    const stored = id === undefined ? undefined : await this.#store.find(id);
    if (stored) return stored;
    throw new SpeechError(
      'authentication_required',
      keyId === undefined
        ? 'There is no API key that could pay for the call. Make one with "sidetone keys create".'
        : `There is no API key with the id "${keyId}" that could pay for the call. Correct key_id of the line.`,
    );
  }

  #keyOf(secret: string, keyId: string, accountId: string, settings: KeySettings): ApiKey {
    return {
      ...settings,
      keyId,
      accountId,
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
