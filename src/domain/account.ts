/** Who pays: owner of API keys, and later of quota, history and webhooks. */
export interface Account {
  readonly accountId: string;
}

/** An installation serves one account; every key belongs to it. */
export const DEFAULT_ACCOUNT: Account = { accountId: 'default' };

/** What is kept of an API key: enough to recognise it, never the secret itself. */
export interface ApiKey {
  readonly keyId: string;
  readonly accountId: string;
  /** What its owner calls it. */
  readonly name: string;
  /** SHA-256 of the secret, 64 lower-case hexadecimal digits. */
  readonly secretHash: string;
  /** The end of the secret, so that its owner can tell it from others. */
  readonly lastFour: string;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
}
