import type { ApiKey } from '../domain/account.ts';

/** Everything that outlives the process. Each store is a port of its own; they share one lifetime. */
export interface Storage extends AsyncDisposable {
  readonly keys: KeyStore;
  /** Idempotent; nothing may be asked of any store afterwards. */
  close(): Promise<void>;
}

/** API keys, looked up by the hash of their secret. Changes are seen by every process at once. */
export interface KeyStore {
  /** @throws StorageError when the id or the secret is there already. */
  add(key: ApiKey): Promise<void>;
  findByHash(secretHash: string): Promise<ApiKey | undefined>;
  /** Oldest first. */
  list(accountId: string): Promise<readonly ApiKey[]>;
  /** @returns whether the account had such a key. */
  remove(accountId: string, keyId: string): Promise<boolean>;
}

/** Storage cannot be opened or refuses a change. The message says what to do about it. */
export class StorageError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'StorageError';
  }
}
