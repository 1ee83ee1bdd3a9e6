import { type Caller, DEFAULT_ACCOUNT, type KeySettings } from '../../domain/account.ts';
import { SpeechError } from '../../domain/errors.ts';
import { AddressList } from '../../service/account/address-list.ts';

/** What a key may do, spend and be used from. */
export type KeyPowers = Pick<KeySettings, 'scopes' | 'characterLimit' | 'allowedAddresses'>;

/** @throws SpeechError `missing_permissions` to keys of accounts that are served, not serving. */
export function assertOperator({ accountId }: Caller): void {
  if (accountId === DEFAULT_ACCOUNT.accountId) return;
  throw new SpeechError(
    'missing_permissions',
    'Only keys of the default account, that of whoever runs the server, may administer accounts.',
    { param: 'api_key' },
  );
}

/**
 * Nobody gives, changes or takes away more than they have.
 * @param own of the key that is used.
 * @param other of the key that is made or administered.
 * @throws SpeechError `missing_permissions` that names the setting in which the other key exceeds.
 */
export function assertWithin(own: KeyPowers, other: KeyPowers): void {
  assertScopes(own, other);
  assertLimit(own, other);
  assertAddresses(own, other);
}

/**
 * What a key with a limit of its own spends is counted key by key. So another key, however small its
 * limit, would come on top of that; the same holds for another key's secret.
 * @throws SpeechError `missing_permissions`.
 */
export function assertUnlimited({ characterLimit }: Pick<KeyPowers, 'characterLimit'>): void {
  if (characterLimit === null) return;
  throw exceeds(
    'character_limit',
    'This API key has a character limit of its own, and cannot hand out characters beside it. Use a key without a limit.',
  );
}

function assertScopes(own: KeyPowers, other: KeyPowers): void {
  const { scopes } = own;
  if (scopes === 'all') return;
  if (other.scopes === 'all') {
    throw exceeds(
      'scopes',
      'This API key is restricted, and cannot make or administer one that is not. Name the scopes.',
    );
  }
  const missing = other.scopes.find((scope) => !scopes.includes(scope));
  if (missing === undefined) return;
  throw exceeds(
    'scopes',
    `This API key lacks the scope "${missing}", and cannot make or administer one that has it.`,
  );
}

function assertLimit(own: KeyPowers, other: KeyPowers): void {
  if (own.characterLimit === null) return;
  if (other.characterLimit !== null && other.characterLimit <= own.characterLimit) return;
  throw exceeds(
    'character_limit',
    `This API key may spend ${own.characterLimit} characters a month, and cannot make or administer one that may spend more.`,
  );
}

function assertAddresses(own: KeyPowers, other: KeyPowers): void {
  if (own.allowedAddresses === null) return;
  const list = new AddressList(own.allowedAddresses);
  if (other.allowedAddresses?.every((range) => list.covers(range))) return;
  throw exceeds(
    'allowed_ips',
    'This API key may be used from some addresses only, and cannot make or administer one that may be used from others. Name addresses within its own.',
  );
}

function exceeds(param: string, message: string): SpeechError {
  return new SpeechError('missing_permissions', message, { param });
}
