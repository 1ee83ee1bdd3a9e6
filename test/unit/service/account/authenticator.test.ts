import { describe, expect, it, onTestFinished } from 'vitest';
import type { KeySettings } from '../../../../src/domain/account.ts';
import { Accounts } from '../../../../src/service/account/accounts.ts';
import { AddressList } from '../../../../src/service/account/address-list.ts';
import { ApiKeyRegistry } from '../../../../src/service/account/api-key-registry.ts';
import {
  Authenticator,
  type RequestOrigin,
} from '../../../../src/service/account/authenticator.ts';
import { openStorageHere } from '../../../support/storage-here.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

const PROXY = '10.0.0.1';
const ORIGIN: RequestOrigin = {
  peerAddress: '203.0.113.7',
  forwardedFor: undefined,
  scope: 'text_to_speech',
};

async function openAuthenticator(restrictions: Partial<KeySettings> = {}) {
  const storage = await openStorageHere({ dataDir: temporaryDir() });
  onTestFinished(() => storage.close());
  const apiKeyRegistry = new ApiKeyRegistry({
    store: storage.keys,
    configuredSecret: undefined,
    now: Date.now,
  });
  const { key, secret } = await apiKeyRegistry.create('default', 'bot', restrictions);
  const authenticator = new Authenticator(apiKeyRegistry, new AddressList([PROXY]));
  return { storage, apiKeyRegistry, authenticator, key, secret };
}

describe('a key without restrictions', () => {
  it('opens everything, from anywhere, and tells whose it is', async () => {
    const { storage, authenticator, key, secret } = await openAuthenticator();
    const expected = {
      accountId: 'default',
      tier: 'business',
      concurrencyLimit: null,
      keyId: key.keyId,
      keyHash: key.secretHash,
      bounds: { account: await storage.accounts.find('default'), keyLimit: null },
      scopes: 'all',
    };
    expect(await authenticator.authenticate(secret)).toEqual(expected);
    const nowhere = { peerAddress: undefined, forwardedFor: undefined, scope: undefined };
    expect(await authenticator.authenticate(secret, nowhere)).toEqual(expected);
  });
});

describe('a key with scopes', () => {
  it('opens what they name and nothing else', async () => {
    const { authenticator, secret } = await openAuthenticator({ scopes: ['text_to_speech'] });
    expect((await authenticator.authenticate(secret, ORIGIN)).scopes).toEqual(['text_to_speech']);
    for (const scope of ['voices_read', 'workspace_write', undefined] as const) {
      await expect(authenticator.authenticate(secret, { ...ORIGIN, scope })).rejects.toMatchObject({
        code: 'missing_permissions',
        message: expect.stringMatching(scope ?? 'unrestricted'),
      });
    }
  });

  it('opens nothing at a door that does not say what it is', async () => {
    const { authenticator, secret } = await openAuthenticator({ scopes: ['text_to_speech'] });
    await expect(authenticator.authenticate(secret)).rejects.toMatchObject({
      code: 'missing_permissions',
    });
  });
});

describe('a key with an allowlist', () => {
  const allowedAddresses = ['203.0.113.0/24', '2001:db8::1'];

  it.each([
    ['203.0.113.9', undefined],
    ['::ffff:203.0.113.9', undefined],
    ['2001:db8:0::1', undefined],
    [PROXY, '198.51.100.1, 203.0.113.9'],
  ])('opens for %s that forwards %s', async (peerAddress, forwardedFor) => {
    const { authenticator, secret } = await openAuthenticator({ allowedAddresses });
    const origin = { ...ORIGIN, peerAddress, forwardedFor };
    expect(await authenticator.authenticate(secret, origin)).toMatchObject({
      accountId: 'default',
    });
  });

  it.each([
    ['198.51.100.1', undefined, '198.51.100.1'],
    ['198.51.100.1', '203.0.113.9', '198.51.100.1'],
    [PROXY, '203.0.113.9, 198.51.100.1', '198.51.100.1'],
    [PROXY, undefined, PROXY],
    [PROXY, 'unknown', 'an address that'],
    [undefined, undefined, 'an address that'],
  ])('is refused to %s that forwards %s', async (peerAddress, forwardedFor, named) => {
    const { authenticator, secret } = await openAuthenticator({ allowedAddresses });
    await expect(
      authenticator.authenticate(secret, { ...ORIGIN, peerAddress, forwardedFor }),
    ).rejects.toMatchObject({ code: 'ip_not_allowed', message: expect.stringContaining(named) });
  });
});

describe('a connection that is open', () => {
  it('goes on with the limits of now', async () => {
    const { authenticator, apiKeyRegistry, secret, storage } = await openAuthenticator();
    const caller = await authenticator.authenticate(secret, ORIGIN);
    const accounts = new Accounts(storage.accounts, Date.now, () => apiKeyRegistry.forgetKnown());
    await accounts.change('default', { tier: 'free', concurrencyLimit: 2 });
    expect(await authenticator.confirm(caller, 'text_to_speech')).toEqual({
      ...caller,
      tier: 'free',
      concurrencyLimit: 2,
      bounds: { account: await storage.accounts.find('default'), keyLimit: null },
    });
  });

  it('ends when its key was rotated, revoked, or lost the scope', async () => {
    const { authenticator, apiKeyRegistry } = await openAuthenticator();
    for (const [end, code] of [
      [(id: string) => apiKeyRegistry.rotate('default', id), 'invalid_api_key'],
      [(id: string) => apiKeyRegistry.revoke('default', id), 'invalid_api_key'],
      [
        (id: string) => apiKeyRegistry.change('default', id, { scopes: ['voices_read'] }),
        'missing_permissions',
      ],
    ] as const) {
      const { key, secret } = await apiKeyRegistry.create('default', 'bot');
      const caller = await authenticator.authenticate(secret, ORIGIN);
      await end(key.keyId);
      await expect(authenticator.confirm(caller, 'text_to_speech')).rejects.toMatchObject({ code });
    }
  });
});
