import { describe, expect, it, onTestFinished } from 'vitest';
import { Accounts } from '../../../../src/service/account/accounts.ts';
import { openStorageHere } from '../../../support/storage-here.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

async function openAccounts(): Promise<Accounts> {
  const storage = await openStorageHere({ dataDir: temporaryDir() });
  onTestFinished(() => storage.close());
  return new Accounts(storage.accounts, () => 1_763_700_000_000);
}

describe('an account', () => {
  it('has the limits of its tier, or its own', async () => {
    const accounts = await openAccounts();
    expect(await accounts.create({ name: 'Acme', tier: 'creator' }, 'acme')).toEqual({
      accountId: 'acme',
      name: 'Acme',
      tier: 'creator',
      characterLimit: 100_000,
      concurrencyLimit: 5,
      createdAtMs: 1_763_700_000_000,
    });
    const own = { characterLimit: null, concurrencyLimit: 1 };
    const other = await accounts.create({ name: 'Other', tier: 'pro', ...own });
    expect(other).toMatchObject(own);
    expect(await accounts.find(other.accountId)).toEqual(other);
    expect((await accounts.list()).map(({ name }) => name)).toContain('Other');
  });

  it('gets the limits of a new tier, unless it is given others with it', async () => {
    const accounts = await openAccounts();
    await accounts.create({ name: 'Acme', tier: 'free', concurrencyLimit: 50 }, 'acme');
    expect(await accounts.change('acme', { name: 'New' })).toMatchObject({
      name: 'New',
      tier: 'free',
      concurrencyLimit: 50,
    });
    expect(await accounts.change('acme', { tier: 'scale', characterLimit: 1 })).toMatchObject({
      tier: 'scale',
      characterLimit: 1,
      concurrencyLimit: 15,
    });
  });

  it('has an id of its own', async () => {
    const accounts = await openAccounts();
    await expect(accounts.create({ name: 'x', tier: 'free' }, 'default')).rejects.toMatchObject({
      code: 'already_exists',
    });
    await expect(accounts.change('nobody', {})).rejects.toMatchObject({ code: 'not_found' });
    await expect(accounts.find('nobody')).rejects.toMatchObject({ code: 'not_found' });
  });
});
