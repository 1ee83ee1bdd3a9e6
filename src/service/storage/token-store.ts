/** A single-use token, known by its hash only. */
export interface StoredToken {
  /** SHA-256 of the token, 64 lower-case hexadecimal digits. */
  readonly tokenHash: string;
  /** Hash of the secret of the key that it was made with: it opens nothing once that key does not. */
  readonly keyHash: string;
  /** What it may be used for. */
  readonly purpose: string;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
}

export interface TokenStore {
  /**
   * @param maximum tokens of the same key that may wait at once; the count and the token are one step.
   * @returns false when as many wait already, and nothing was added.
   */
  add(token: StoredToken, maximum: number, nowMs: number): Promise<boolean>;
  /**
   * Takes a token out of use. Of any number that ask at the same time, in any number of processes,
   * one gets it.
   * @returns undefined when it is unknown, used, expired, or for another purpose; the last leaves it as it is.
   */
  take(tokenHash: string, purpose: string, nowMs: number): Promise<StoredToken | undefined>;
  /** Drops those that nobody can use any more. */
  prune(nowMs: number): Promise<void>;
}
