import { type Caller, hasScope, TOKEN_SCOPES, type TokenPurpose } from '../../domain/account.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { TokenStore } from '../storage/token-store.ts';
import { generateSecret, hashSecret } from './api-key.ts';
import type { ApiKeyRegistry } from './api-key-registry.ts';
import { callerOfKey, missingScope } from './authenticator.ts';

const PREFIX = 'sutkn_';
const LIFETIME_MS = 15 * 60_000;
/** Of one key, made and not used yet: one for each of a thousand browsers that are about to connect. */
const MAX_WAITING = 1000;

export interface SingleUseTokensOptions {
  readonly store: TokenStore;
  readonly keys: ApiKeyRegistry;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Stand-ins for an API key that may be given away, to a browser for example: each opens one
 * connection within fifteen minutes. The allowlist of its key holds for making it, not for using it.
 */
export class SingleUseTokens {
  readonly #options: SingleUseTokensOptions;

  constructor(options: SingleUseTokensOptions) {
    this.#options = options;
  }

  /**
   * @returns the token, which is known only now.
   * @throws SpeechError `missing_permissions` when it would open more than its key does,
   *   `account_limit_reached` when too many of the key's tokens wait to be used.
   */
  async issue(caller: Caller, purpose: TokenPurpose): Promise<string> {
    const lacking = TOKEN_SCOPES[purpose].find((scope) => !hasScope(caller.scopes, scope));
    if (lacking) throw missingScope(lacking);
    const { store, now } = this.#options;
    const token = `${PREFIX}${generateSecret().slice(3)}`;
    const nowMs = now();
    await store.prune(nowMs);
    const stored = {
      tokenHash: hashSecret(token),
      keyHash: caller.keyHash,
      purpose,
      expiresAtMs: nowMs + LIFETIME_MS,
    };
    if (await store.add(stored, MAX_WAITING, nowMs)) return token;
    throw new SpeechError(
      'account_limit_reached',
      `${MAX_WAITING} single-use tokens of this key wait to be used. Make one for each connection, when it is opened; unused ones end after ${LIFETIME_MS / 60_000} minutes.`,
    );
  }

  /**
   * Uses a token up.
   * @param purposes for any of which it may be.
   * @returns its maker, with what the token allows of what their key allows now.
   * @throws SpeechError `invalid_api_key` when it is unknown, used, too old, for something else, or its key is gone.
   */
  async redeem(token: string, purposes: readonly TokenPurpose[]): Promise<Caller> {
    const { store, keys, now } = this.#options;
    for (const purpose of purposes) {
      const taken = await store.take(hashSecret(token), purpose, now());
      if (!taken) continue;
      const owned = await keys.findByHash(taken.keyHash);
      if (!owned) break;
      const { scopes } = owned.key;
      const allowed = TOKEN_SCOPES[purpose].filter((scope) => hasScope(scopes, scope));
      return { ...callerOfKey(owned), scopes: allowed };
    }
    throw new SpeechError(
      'invalid_api_key',
      `This single-use token is unknown, was used, is older than ${LIFETIME_MS / 60_000} minutes, or is not for this. Make a new one for each connection.`,
      { param: 'single_use_token' },
    );
  }
}
