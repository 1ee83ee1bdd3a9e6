import type { Account } from '../domain/account.ts';
import { SpeechError } from '../domain/errors.ts';
import { isDamagedSecret } from './api-key.ts';
import type { KeyRing } from './key-ring.ts';

/** Tells every door who is calling. */
export class Authenticator {
  readonly #keys: KeyRing;

  constructor(keys: KeyRing) {
    this.#keys = keys;
  }

  /**
   * @param secret the caller's API key as it came, wherever the door found it.
   * @throws SpeechError `authentication_required` when there is none, `invalid_api_key` when it is wrong.
   */
  async authenticate(secret: string | undefined): Promise<Account> {
    if (!secret) {
      throw new SpeechError(
        'authentication_required',
        'An API key is needed. Send it in the xi-api-key header. The server prints its first key when it first starts.',
      );
    }
    const key = await this.#keys.find(secret);
    if (key) return { accountId: key.accountId };
    throw new SpeechError('invalid_api_key', refusal(secret), { param: 'api_key' });
  }
}

function refusal(secret: string): string {
  return isDamagedSecret(secret)
    ? 'This API key was cut short, mistyped, or made by another service: its checksum is wrong. Copy the whole key again.'
    : 'This API key is not valid here, or was revoked. Use another, or make one with "sidetone keys create".';
}
