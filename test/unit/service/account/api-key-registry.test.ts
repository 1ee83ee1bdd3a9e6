import { describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_ACCOUNT } from '../../../../src/domain/account.ts';
import type { ServiceEvent } from '../../../../src/domain/service-event.ts';
import {
  ApiKeyRegistry,
  CONFIGURED_KEY_ID,
} from '../../../../src/service/account/api-key-registry.ts';
import { Authenticator } from '../../../../src/service/account/authenticator.ts';
import { openStorageHere } from '../../../support/storage-here.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

const { accountId } = DEFAULT_ACCOUNT;

async function openKeyRing(configuredSecret?: string, dataDir = temporaryDir()) {
  const events: ServiceEvent[] = [];
  const storage = await openStorageHere({ dataDir });
  onTestFinished(() => storage.close());
  const apiKeyRegistry = new ApiKeyRegistry({
    store: storage.keys,
    configuredSecret,
    now: () => 1_700_000_000_000,
    tell: async (event) => void events.push(event),
  });
  return { apiKeyRegistry, authenticator: new Authenticator(apiKeyRegistry), storage, events };
}

describe('the first key', () => {
  it('is made once on a fresh installation, and works', async () => {
    const { apiKeyRegistry, authenticator } = await openKeyRing();
    const first = await apiKeyRegistry.ensureFirstKey();
    expect(await authenticator.authenticate(first?.secret)).toMatchObject({ accountId });
    expect(await apiKeyRegistry.ensureFirstKey()).toBeUndefined();
  });

  it('is not made when the operator configured one', async () => {
    const { apiKeyRegistry, authenticator } = await openKeyRing('my-own-secret');
    expect(await apiKeyRegistry.ensureFirstKey()).toBeUndefined();
    expect(await authenticator.authenticate('my-own-secret')).toMatchObject({ accountId });
  });
});

describe('the configured key', () => {
  it('stops working when the configuration changes', async () => {
    const dataDir = temporaryDir();
    await (await openKeyRing('old-secret', dataDir)).storage.close();
    const { authenticator } = await openKeyRing('new-secret', dataDir);
    expect(await authenticator.authenticate('new-secret')).toMatchObject({ accountId });
    await expect(authenticator.authenticate('old-secret')).rejects.toMatchObject({
      code: 'invalid_api_key',
    });
  });

  it('is listed without its secret and cannot be revoked here', async () => {
    const { apiKeyRegistry } = await openKeyRing('my-own-secret');
    const made = await apiKeyRegistry.create(accountId, 'bot');
    const keys = await apiKeyRegistry.list(accountId);
    expect(keys.map((key) => key.keyId)).toEqual([CONFIGURED_KEY_ID, made.key.keyId]);
    expect(JSON.stringify(keys)).not.toContain('my-own-secret');
    expect(await apiKeyRegistry.revoke(accountId, CONFIGURED_KEY_ID)).toBe(false);
    expect(await apiKeyRegistry.rotate(accountId, CONFIGURED_KEY_ID)).toBeUndefined();
  });
});

describe('a key of the ring', () => {
  it('works until it is revoked, while others go on', async () => {
    const { apiKeyRegistry, authenticator } = await openKeyRing();
    const one = await apiKeyRegistry.create(accountId, 'one');
    const other = await apiKeyRegistry.create(accountId, 'other');
    expect(one.key.lastFour).toBe(one.secret.slice(-4));
    expect(await apiKeyRegistry.revoke(accountId, one.key.keyId)).toBe(true);
    await expect(authenticator.authenticate(one.secret)).rejects.toMatchObject({
      code: 'invalid_api_key',
      message: expect.stringContaining('revoked'),
    });
    expect(await authenticator.authenticate(other.secret)).toMatchObject({ accountId });
  });

  it('has another secret once rotated, in every process, and keeps all else', async () => {
    const dataDir = temporaryDir();
    const { apiKeyRegistry, authenticator, events } = await openKeyRing(undefined, dataDir);
    const elsewhere = await openKeyRing(undefined, dataDir);
    const restrictions = { characterLimit: 5, scopes: ['user_read'] } as const;
    const before = await apiKeyRegistry.create(accountId, 'bot', restrictions);
    const after = await apiKeyRegistry.rotate(accountId, before.key.keyId);
    expect(after?.secret).not.toBe(before.secret);
    expect(after?.key).toEqual({
      ...before.key,
      secretHash: expect.not.stringMatching(before.key.secretHash),
      lastFour: after?.secret.slice(-4),
    });
    for (const each of [authenticator, elsewhere.authenticator]) {
      await expect(each.authenticate(before.secret)).rejects.toMatchObject({
        code: 'invalid_api_key',
      });
    }
    expect((await elsewhere.apiKeyRegistry.find(after?.secret ?? ''))?.key).toEqual(after?.key);
    expect(events).toEqual([
      {
        type: 'key.rotated',
        accountId,
        data: {
          api_key_id: before.key.keyId,
          name: 'bot',
          last_four: after?.key.lastFour,
        },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain(after?.secret);
  });

  it('is not made for an account that there is not', async () => {
    const { apiKeyRegistry } = await openKeyRing();
    await expect(apiKeyRegistry.create('nobody', 'bot')).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is refused with the reason when it was cut short', async () => {
    const { apiKeyRegistry, authenticator } = await openKeyRing();
    const { secret } = await apiKeyRegistry.create(accountId, 'one');
    await expect(authenticator.authenticate(secret.slice(0, -2))).rejects.toMatchObject({
      code: 'invalid_api_key',
      message: expect.stringContaining('cut short'),
    });
  });

  it('is asked for when there is none', async () => {
    const { authenticator } = await openKeyRing();
    for (const nothing of [undefined, '']) {
      await expect(authenticator.authenticate(nothing)).rejects.toMatchObject({
        code: 'authentication_required',
        message: expect.stringContaining('xi-api-key'),
      });
    }
  });
});

describe('a key by its id', () => {
  it('is found with its account, the configured one too', async () => {
    const { apiKeyRegistry } = await openKeyRing('my-own-secret');
    const { key } = await apiKeyRegistry.create(accountId, 'bot');
    expect(await apiKeyRegistry.findById(key.keyId)).toMatchObject({ key, account: { accountId } });
    const configured = await apiKeyRegistry.findById(CONFIGURED_KEY_ID);
    expect(configured).toMatchObject({ key: { keyId: CONFIGURED_KEY_ID }, account: { accountId } });
  });

  it('is the first one of the default account unless given', async () => {
    const { apiKeyRegistry } = await openKeyRing();
    await apiKeyRegistry.create(accountId, 'one');
    await apiKeyRegistry.create(accountId, 'other');
    const [first] = await apiKeyRegistry.list(accountId);
    expect((await apiKeyRegistry.findById(undefined)).key).toEqual(first);
    const withOwn = await openKeyRing('my-own-secret');
    expect((await withOwn.apiKeyRegistry.findById(undefined)).key.keyId).toBe(CONFIGURED_KEY_ID);
  });

  it('is refused when there is none, with what to do about it', async () => {
    const { apiKeyRegistry } = await openKeyRing();
    await expect(apiKeyRegistry.findById(undefined)).rejects.toMatchObject({
      code: 'authentication_required',
    });
    for (const keyId of ['nobody', CONFIGURED_KEY_ID]) {
      await expect(apiKeyRegistry.findById(keyId)).rejects.toMatchObject({
        code: 'authentication_required',
        message: expect.stringContaining('key_id'),
      });
    }
  });
});
