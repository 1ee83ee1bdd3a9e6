import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ApiKey, DEFAULT_ACCOUNT } from '../../src/domain/account.ts';
import { hashSecret } from '../../src/service/account/api-key.ts';
import { NO_LIMIT, type StoragePlace } from '../support/storages.ts';

export function apiKey(given: Partial<ApiKey> = {}): ApiKey {
  return {
    keyId: randomUUID(),
    accountId: 'default',
    name: 'A key "quoted"; DROP TABLE api_key; — ключ 🔑',
    secretHash: hashSecret(randomUUID()),
    lastFour: 'aB3z',
    createdAtMs: 1_763_700_000_123,
    scopes: 'all',
    characterLimit: null,
    allowedAddresses: null,
    ...given,
  };
}

/** What every adapter of `KeyStore` must do. */
export function keyStoreContract(technology: string, newPlace: () => StoragePlace): void {
  describe(`key store on ${technology}`, () => {
    it('adds no more than the account may have, however many are added at once', async () => {
      await using storage = await newPlace().open();
      await storage.keys.add(apiKey({ accountId: 'other', keyId: 'x', secretHash: 'x' }), 5);
      const added = await Promise.all(
        Array.from({ length: 20 }, (_, index) => {
          const id = String(index);
          return storage.keys.add(apiKey({ keyId: id, secretHash: id }), 5);
        }),
      );
      expect(added.filter(Boolean)).toHaveLength(5);
      expect(await storage.keys.list('default')).toHaveLength(5);
    });

    it('returns exactly what was added', async () => {
      await using storage = await newPlace().open();
      const key = apiKey();
      await storage.keys.add(key, NO_LIMIT);
      expect((await storage.keys.findByHash(key.secretHash))?.key).toEqual(key);
      expect(await storage.keys.list('default')).toEqual([key]);
    });

    it('keeps the restrictions of a key', async () => {
      await using storage = await newPlace().open();
      const key = apiKey({
        scopes: ['text_to_speech', 'voices_read'],
        characterLimit: 8_000_000_000,
        allowedAddresses: ['10.0.0.0/8', '2001:db8::1'],
      });
      await storage.keys.add(key, NO_LIMIT);
      expect((await storage.keys.findByHash(key.secretHash))?.key).toEqual(key);
    });

    it('finds a key together with its account, and no key without one', async () => {
      await using storage = await newPlace().open();
      const key = apiKey();
      const orphan = apiKey({ accountId: 'nobody' });
      await storage.keys.add(key, NO_LIMIT);
      await storage.keys.add(orphan, NO_LIMIT);
      const account = await storage.accounts.find(DEFAULT_ACCOUNT.accountId);
      expect(account).toBeDefined();
      expect((await storage.keys.findByHash(key.secretHash))?.account).toEqual(account);
      expect(await storage.keys.find(key.keyId)).toEqual({ key, account });
      expect(await storage.keys.find(orphan.keyId)).toBeUndefined();
      expect(await storage.keys.find(key.secretHash)).toBeUndefined();
      expect(await storage.keys.findOwner(DEFAULT_ACCOUNT.accountId)).toEqual(account);
      expect(await storage.keys.findByHash(orphan.secretHash)).toBeUndefined();
      expect(await storage.keys.findOwner('nobody')).toBeUndefined();
    });

    it('changes what is given, and only of its own account', async () => {
      await using storage = await newPlace().open();
      const key = apiKey({ scopes: ['user_read'], characterLimit: 5, allowedAddresses: ['::1'] });
      await storage.keys.add(key, NO_LIMIT);
      const { keyId } = key;
      expect(await storage.keys.change('somebody-else', keyId, { name: 'x' })).toBeUndefined();
      expect(await storage.keys.change('default', keyId, {})).toEqual(key);
      const changes = { name: 'new', scopes: 'all', characterLimit: null } as const;
      const changed = await storage.keys.change('default', keyId, changes);
      expect(changed).toEqual({ ...key, ...changes });
      expect(await storage.keys.change('default', keyId, { allowedAddresses: null })).toEqual({
        ...key,
        ...changes,
        allowedAddresses: null,
      });
      expect(await storage.keys.list('default')).toEqual([{ ...changed, allowedAddresses: null }]);
    });

    it('replaces a secret: the old one opens nothing, for everybody who has it open', async () => {
      const place = newPlace();
      await using one = await place.open();
      await using other = await place.open();
      const key = apiKey();
      await one.keys.add(key, NO_LIMIT);
      const secret = { secretHash: hashSecret('new'), lastFour: 'wxyz' };
      expect(await one.keys.replaceSecret('somebody-else', key.keyId, secret)).toBeUndefined();
      expect(await one.keys.replaceSecret('default', key.keyId, secret)).toEqual({
        ...key,
        ...secret,
      });
      expect(await other.keys.findByHash(key.secretHash)).toBeUndefined();
      expect((await other.keys.findByHash(secret.secretHash))?.key.keyId).toBe(key.keyId);
    });

    it('keeps keys over a restart', async () => {
      const place = newPlace();
      const key = apiKey();
      const before = await place.open();
      await before.keys.add(key, NO_LIMIT);
      await before.close();
      await using after = await place.open();
      expect((await after.keys.findByHash(key.secretHash))?.key).toEqual(key);
    });

    it('finds nothing for an unknown hash', async () => {
      await using storage = await newPlace().open();
      await storage.keys.add(apiKey(), NO_LIMIT);
      expect(await storage.keys.findByHash(hashSecret('other'))).toBeUndefined();
    });

    it('refuses a second key with the same id or the same secret, and keeps the first', async () => {
      await using storage = await newPlace().open();
      const key = apiKey();
      await storage.keys.add(key, NO_LIMIT);
      for (const clash of [{ keyId: key.keyId }, { secretHash: key.secretHash }]) {
        await expect(storage.keys.add(apiKey(clash), NO_LIMIT)).rejects.toThrow(/stored already/);
      }
      expect(await storage.keys.list('default')).toEqual([key]);
    });

    it('lists the keys of one account, oldest first', async () => {
      await using storage = await newPlace().open();
      const newer = apiKey({ createdAtMs: 3 });
      const older = apiKey({ createdAtMs: 1 });
      for (const key of [newer, apiKey({ accountId: 'somebody-else' }), older]) {
        await storage.keys.add(key, NO_LIMIT);
      }
      expect(await storage.keys.list('default')).toEqual([older, newer]);
      expect(await storage.keys.list('nobody')).toEqual([]);
    });

    it('removes a key once, and only for its own account', async () => {
      await using storage = await newPlace().open();
      const key = apiKey();
      await storage.keys.add(key, NO_LIMIT);
      expect(await storage.keys.remove('somebody-else', key.keyId)).toBe(false);
      expect(await storage.keys.remove('default', key.keyId)).toBe(true);
      expect(await storage.keys.remove('default', key.keyId)).toBe(false);
      expect(await storage.keys.findByHash(key.secretHash)).toBeUndefined();
    });

    it('shows a removal to others who have it open, at once', async () => {
      const place = newPlace();
      await using one = await place.open();
      await using other = await place.open();
      const key = apiKey();
      await one.keys.add(key, NO_LIMIT);
      expect((await other.keys.findByHash(key.secretHash))?.key).toEqual(key);
      await one.keys.remove('default', key.keyId);
      expect(await other.keys.findByHash(key.secretHash)).toBeUndefined();
    });

    it('may be closed twice', async () => {
      const storage = await newPlace().open();
      await storage.close();
      await expect(storage.close()).resolves.toBeUndefined();
    });
  });
}
