import { describe, expect, it } from 'vitest';
import { type AccountRecord, DEFAULT_ACCOUNT } from '../../src/domain/account.ts';
import type { StoragePlace } from '../support/storages.ts';

export function accountRecord(given: Partial<AccountRecord> = {}): AccountRecord {
  return {
    accountId: 'acme',
    name: 'Acme "quoted"; DROP TABLE account; — счёт 📞',
    tier: 'creator',
    characterLimit: 100_000,
    concurrencyLimit: 5,
    createdAtMs: 4_102_444_800_123,
    ...given,
  };
}

/** What every adapter of `AccountStore` must do. */
export function accountStoreContract(technology: string, newPlace: () => StoragePlace): void {
  describe(`account store on ${technology}`, () => {
    it('has the account of whoever runs the server from the start, without limits', async () => {
      await using storage = await newPlace().open();
      expect(await storage.accounts.list()).toEqual([
        {
          ...DEFAULT_ACCOUNT,
          name: 'Default',
          tier: 'business',
          characterLimit: null,
          concurrencyLimit: null,
          createdAtMs: expect.any(Number),
        },
      ]);
    });

    it('returns exactly what was added, after a restart too', async () => {
      const place = newPlace();
      const limited = accountRecord({ characterLimit: 8_000_000_000 });
      const unlimited = accountRecord({
        accountId: 'free',
        characterLimit: null,
        concurrencyLimit: null,
      });
      const before = await place.open();
      expect(await before.accounts.add(limited)).toBe(true);
      expect(await before.accounts.add(unlimited)).toBe(true);
      await before.close();
      await using after = await place.open();
      expect(await after.accounts.find('acme')).toEqual(limited);
      expect(await after.accounts.find('free')).toEqual(unlimited);
      expect(await after.accounts.find('none')).toBeUndefined();
    });

    it('adds an id once, of any number that try together', async () => {
      const place = newPlace();
      await using one = await place.open();
      await using other = await place.open();
      const results = await Promise.all(
        [one, other, one, other].map((storage, index) =>
          storage.accounts.add(accountRecord({ name: `${index}` })),
        ),
      );
      expect(results.filter(Boolean).length).toBe(1);
      expect((await one.accounts.find('acme'))?.name).toBe(`${results.indexOf(true)}`);
    });

    it('lists the oldest first', async () => {
      await using storage = await newPlace().open();
      for (const createdAtMs of [3, 1, 2]) {
        await storage.accounts.add(accountRecord({ accountId: `at-${createdAtMs}`, createdAtMs }));
      }
      const ids = (await storage.accounts.list()).map(({ accountId }) => accountId);
      expect(ids).toEqual(['at-1', 'at-2', 'at-3', DEFAULT_ACCOUNT.accountId]);
    });

    it('changes what is given and keeps the rest', async () => {
      await using storage = await newPlace().open();
      const account = accountRecord();
      await storage.accounts.add(account);
      expect(await storage.accounts.change('acme', {})).toEqual(account);
      const changed = { ...account, tier: 'pro', characterLimit: null } as const;
      const changes = { tier: 'pro', characterLimit: null } as const;
      expect(await storage.accounts.change('acme', changes)).toEqual(changed);
      expect(await storage.accounts.change('acme', { name: 'A', concurrencyLimit: 7 })).toEqual({
        ...changed,
        name: 'A',
        concurrencyLimit: 7,
      });
      expect(await storage.accounts.change('none', { name: 'A' })).toBeUndefined();
    });
  });
}
