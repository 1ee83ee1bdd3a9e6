import { describe, expect, it } from 'vitest';
import { AccountShares } from '../../../../src/synthesis/engine/account-shares.ts';

/** Serves whoever is first for so many steps of 10 ms; @returns how many each account got. */
function serve(shares: AccountShares, accounts: readonly string[], steps: number) {
  const served = new Map(accounts.map((account) => [account, 0]));
  for (let step = 0; step < steps; step++) {
    const [first] = accounts.toSorted((a, b) => shares.startOf(a) - shares.startOf(b));
    shares.charge(first as string, 10);
    served.set(first as string, (served.get(first as string) ?? 0) + 1);
  }
  return Object.fromEntries(served);
}

describe('the shares of accounts', () => {
  it('are even among those that compete', () => {
    expect(serve(new AccountShares(), ['a', 'b', 'c'], 30)).toEqual({ a: 10, b: 10, c: 10 });
  });

  it('are of time, not of steps', () => {
    const shares = new AccountShares();
    shares.charge('slow', 40);
    expect(serve(shares, ['slow', 'quick'], 4)).toEqual({ slow: 0, quick: 4 });
  });

  it('neither reward an account for its silence nor punish it for what it had alone', () => {
    const shares = new AccountShares();
    for (let step = 0; step < 1000; step++) shares.charge('busy', 10);
    expect(serve(shares, ['busy', 'new'], 20)).toEqual({ busy: 10, new: 10 });
  });

  it('forget accounts that are behind', () => {
    const shares = new AccountShares();
    for (let account = 0; account < 1000; account++) shares.charge(`account ${account}`, 10);
    for (let step = 0; step < 3; step++) shares.charge('last', 10);
    expect(shares.size).toBeLessThanOrEqual(1);
  });
});
