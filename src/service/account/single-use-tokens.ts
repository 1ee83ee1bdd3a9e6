import type { Caller } from '../../domain/account.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { TokenStore } from '../storage/token-store.ts';
import { generateSecret, hashSecret } from './api-key.ts';
import { callerOfKey } from './authenticator.ts';
import type { KeyRing } from './key-ring.ts';

/** What a token may open: the first three as in PROTOCOL §3.8, the last a carrier's media stream. */
export const TOKEN_PURPOSES = [
  'realtime_scribe',
  'batch_scribe',
  'tts_websocket',
  'call_stream',
] as const;
export type TokenPurpose = (typeof TOKEN_PURPOSES)[number];

const PREFIX = 'sutkn_';
const LIFETIME_MS = 15 * 60_000;

export interface SingleUseTokensOptions {
  readonly store: TokenStore;
  readonly keys: KeyRing;
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

  /** @returns the token, which is known only now. */
  async issue(caller: Caller, purpose: TokenPurpose): Promise<string> {
    const { store, now } = this.#options;
    const token = `${PREFIX}${generateSecret().slice(3)}`;
    const nowMs = now();
    await store.prune(nowMs);
    await store.add({
      tokenHash: hashSecret(token),
      keyHash: caller.keyHash,
      purpose,
      expiresAtMs: nowMs + LIFETIME_MS,
    });
    return token;
  }

  /**
   * Uses a token up.
   * @returns whoever made it, as an API key would have told.
   * @throws SpeechError `invalid_api_key` when it is unknown, used, too old, for something else, or its key is gone.
   */
  async redeem(token: string, purpose: TokenPurpose): Promise<Caller> {
    const { store, keys, now } = this.#options;
    const taken = await store.take(hashSecret(token), purpose, now());
    const owned = taken && (await keys.findByHash(taken.keyHash));
    if (owned) return callerOfKey(owned);
    throw new SpeechError(
      'invalid_api_key',
      `This single-use token is unknown, was used, is older than ${LIFETIME_MS / 60_000} minutes, or is not for this. Make a new one for each connection.`,
      { param: 'single_use_token' },
    );
  }
}
