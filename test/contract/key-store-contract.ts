import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashSecret } from '../../src/account/api-key.ts';
import type { ApiKey } from '../../src/domain/account.ts';
import type { Storage } from '../../src/storage/storage.ts';

/** A place that can be opened again and again, each time as another process would. */
export interface StoragePlace {
  open(): Promise<Storage>;
}

export function apiKey(given: Partial<ApiKey> = {}): ApiKey {
  return {
    keyId: randomUUID(),
    accountId: 'default',
    name: 'A key "quoted"; DROP TABLE api_key; — ключ 🔑',
    secretHash: hashSecret(randomUUID()),
    lastFour: 'aB3z',
    createdAtMs: 1_763_700_000_123,
    ...given,
  };
}

/** What every adapter of `KeyStore` must do. */
export function keyStoreContract(technology: string, newPlace: () => StoragePlace): void {
  describe(`key store on ${technology}`, () => {
    it('returns exactly what was added', async () => {
      await using storage = await newPlace().open();
      const key = apiKey();
      await storage.keys.add(key);
      expect(await storage.keys.findByHash(key.secretHash)).toEqual(key);
      expect(await storage.keys.list('default')).toEqual([key]);
    });

    it('keeps keys over a restart', async () => {
      const place = newPlace();
      const key = apiKey();
      const before = await place.open();
      await before.keys.add(key);
      await before.close();
      await using after = await place.open();
      expect(await after.keys.findByHash(key.secretHash)).toEqual(key);
    });

    it('finds nothing for an unknown hash', async () => {
      await using storage = await newPlace().open();
      await storage.keys.add(apiKey());
      expect(await storage.keys.findByHash(hashSecret('other'))).toBeUndefined();
    });

    it('refuses a second key with the same id or the same secret, and keeps the first', async () => {
      await using storage = await newPlace().open();
      const key = apiKey();
      await storage.keys.add(key);
      for (const clash of [{ keyId: key.keyId }, { secretHash: key.secretHash }]) {
        await expect(storage.keys.add(apiKey(clash))).rejects.toThrow(/stored already/);
      }
      expect(await storage.keys.list('default')).toEqual([key]);
    });

    it('lists the keys of one account, oldest first', async () => {
      await using storage = await newPlace().open();
      const newer = apiKey({ createdAtMs: 3 });
      const older = apiKey({ createdAtMs: 1 });
      for (const key of [newer, apiKey({ accountId: 'somebody-else' }), older]) {
        await storage.keys.add(key);
      }
      expect(await storage.keys.list('default')).toEqual([older, newer]);
      expect(await storage.keys.list('nobody')).toEqual([]);
    });

    it('removes a key once, and only for its own account', async () => {
      await using storage = await newPlace().open();
      const key = apiKey();
      await storage.keys.add(key);
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
      await one.keys.add(key);
      expect(await other.keys.findByHash(key.secretHash)).toEqual(key);
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
