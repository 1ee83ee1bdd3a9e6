import type { AccountRecord, ApiKey, KeySettings } from '../../domain/account.ts';
import type { AccountStore } from './account-store.ts';
import type { BlobStore } from './blob-store.ts';
import type { DictionaryStore } from './dictionary-store.ts';
import type { HistoryStore } from './history-store.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { TokenStore } from './token-store.ts';
import type { UsageStore } from './usage-store.ts';
import type { VoiceStore } from './voice-store.ts';
import type { WebhookStore } from './webhook-store.ts';

/** Everything that outlives the process. Each store is a port of its own; they share one lifetime. */
export interface Storage extends AsyncDisposable {
  readonly keys: KeyStore;
  readonly accounts: AccountStore;
  readonly usage: UsageStore;
  readonly tokens: TokenStore;
  readonly history: HistoryStore;
  readonly blobs: BlobStore;
  readonly webhooks: WebhookStore;
  readonly outbox: OutboxStore;
  readonly voices: VoiceStore;
  readonly dictionaries: DictionaryStore;
  /** Idempotent; nothing may be asked of any store afterwards. */
  close(): Promise<void>;
}

/** API keys, looked up by the hash of their secret. Changes are seen by every process at once. */
export interface KeyStore {
  /**
   * @param maximum keys that the account may have; the count and the key are one step.
   * @returns false when it has as many already, and nothing was added.
   * @throws StorageError when the id or the secret is there already.
   */
  add(key: ApiKey, maximum: number): Promise<boolean>;
  /** The key that a secret opens, and its account: in one look, because every request takes it. */
  findByHash(secretHash: string): Promise<OwnedKey | undefined>;
  /** The key that has an id, and its account. */
  find(keyId: string): Promise<OwnedKey | undefined>;
  /** The account of a key that is not kept here. */
  findOwner(accountId: string): Promise<AccountRecord | undefined>;
  /** Oldest first. */
  list(accountId: string): Promise<readonly ApiKey[]>;
  /** Characters that each key of an account was charged in a month or has on hold, by key id. */
  usedCharacters(accountId: string, periodStartMs: number): Promise<ReadonlyMap<string, number>>;
  /** Makes another secret open the key, and the old one nothing. @returns undefined when there is no such key. */
  replaceSecret(
    accountId: string,
    keyId: string,
    secret: Pick<ApiKey, 'secretHash' | 'lastFour'>,
  ): Promise<ApiKey | undefined>;
  /** @returns the key as it is now; undefined when the account has no such key. */
  change(
    accountId: string,
    keyId: string,
    settings: Partial<KeySettings>,
  ): Promise<ApiKey | undefined>;
  /** @returns whether the account had such a key. */
  remove(accountId: string, keyId: string): Promise<boolean>;
}

export interface OwnedKey {
  readonly key: ApiKey;
  readonly account: AccountRecord;
}

/** Storage cannot be opened or refuses a change. The message says what to do about it. */
export class StorageError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'StorageError';
  }
}
