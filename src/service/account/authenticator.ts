import { type ApiKey, type Caller, hasScope, type Scope } from '../../domain/account.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { OwnedKey } from '../storage/storage.ts';
import { AddressList } from './address-list.ts';
import { isDamagedSecret } from './api-key.ts';
import type { ApiKeyRegistry } from './api-key-registry.ts';
import { clientAddress, type RequestRoute } from './client-address.ts';

/** What a request asks for, and where it comes from. */
export interface RequestOrigin extends RequestRoute {
  /** The scope that the endpoint belongs to; undefined when only unrestricted keys may reach it. */
  readonly scope: Scope | undefined;
}

/** Of a door that does not say: only keys without any restriction pass. */
const UNKNOWN_ORIGIN = { peerAddress: undefined, forwardedFor: undefined, scope: undefined };

/** Tells every door who is calling. */
export class Authenticator {
  readonly #keys: ApiKeyRegistry;
  readonly #trustedProxies: AddressList;

  /** @param trustedProxies who may say, in `X-Forwarded-For`, whom they got a request from. */
  constructor(keys: ApiKeyRegistry, trustedProxies: AddressList = new AddressList([])) {
    this.#keys = keys;
    this.#trustedProxies = trustedProxies;
  }

  /**
   * @param secret the caller's API key as it came, wherever the door found it.
   * @param origin without it, keys that are restricted in any way are refused.
   * @throws SpeechError `authentication_required` when there is none, `invalid_api_key` when it is
   *   wrong, `ip_not_allowed` and `missing_permissions` when it is restricted.
   */
  async authenticate(
    secret: string | undefined,
    origin: RequestOrigin = UNKNOWN_ORIGIN,
  ): Promise<Caller> {
    if (!secret) {
      throw new SpeechError(
        'authentication_required',
        'An API key is needed. Send it in the xi-api-key header. The server prints its first key when it first starts.',
      );
    }
    const owned = await this.#keys.find(secret);
    if (!owned) throw new SpeechError('invalid_api_key', refusal(secret), { param: 'api_key' });
    this.#assertAddress(owned.key, origin);
    assertScope(owned.key, origin.scope);
    return callerOfKey(owned);
  }

  /**
   * Looks again whether a caller may still speak, and with which limits: on connections that live
   * long, before each utterance. A rotated or revoked key ends them.
   *
   * @param scope of what the connection does.
   * @returns the caller as it is now.
   * @throws SpeechError `invalid_api_key`, `missing_permissions`.
   */
  async confirm(caller: Caller, scope: Scope): Promise<Caller> {
    const owned = await this.#keys.findByHash(caller.keyHash);
    if (!owned) {
      throw new SpeechError(
        'invalid_api_key',
        'The API key that opened this connection was rotated or revoked. Connect again with another.',
        { param: 'api_key' },
      );
    }
    assertScope(owned.key, scope);
    return callerOfKey(owned);
  }

  #assertAddress({ allowedAddresses }: ApiKey, origin: RequestOrigin): void {
    if (!allowedAddresses) return;
    const address = clientAddress(origin, this.#trustedProxies);
    if (address !== undefined && new AddressList(allowedAddresses).has(address)) return;
    throw new SpeechError(
      'ip_not_allowed',
      `This API key may not be used from ${address ?? 'an address that the proxies in between do not tell'}. Call from an allowed address, or have this one added to the key.`,
    );
  }
}

function assertScope({ scopes }: ApiKey, needed: Scope | undefined): void {
  if (needed === undefined ? scopes === 'all' : hasScope(scopes, needed)) return;
  throw missingScope(needed);
}

/** @param needed undefined for an endpoint that only unrestricted keys may reach. */
export function missingScope(needed: Scope | undefined): SpeechError {
  return new SpeechError(
    'missing_permissions',
    needed === undefined
      ? 'This API key is restricted to some endpoints, and this is none of them. Use an unrestricted key.'
      : `This API key lacks the scope "${needed}". Use another, or have the scope added.`,
    { param: 'api_key' },
  );
}

/** What the rest of the program knows of the holder of a key. */
export function callerOfKey({ key, account }: OwnedKey): Caller {
  return {
    accountId: account.accountId,
    tier: account.tier,
    concurrencyLimit: account.concurrencyLimit,
    keyId: key.keyId,
    keyHash: key.secretHash,
    scopes: key.scopes,
    bounds: { account, keyLimit: key.characterLimit },
  };
}

function refusal(secret: string): string {
  return isDamagedSecret(secret)
    ? 'This API key was cut short, mistyped, or made by another service: its checksum is wrong. Copy the whole key again.'
    : 'This API key is not valid here, or was revoked. Use another, or make one with "sidetone keys create".';
}
