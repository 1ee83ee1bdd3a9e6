import type { AccountRecord } from '../../domain/account.ts';

/** The accounts that the server serves. The default one is there from the start. */
export interface AccountStore {
  /** @returns whether the id was free; nothing is changed when it was not. */
  add(account: AccountRecord): Promise<boolean>;
  find(accountId: string): Promise<AccountRecord | undefined>;
  /** Oldest first. */
  list(): Promise<readonly AccountRecord[]>;
  /** @returns the account as it is now; undefined when there is none. */
  change(accountId: string, settings: Partial<AccountSettings>): Promise<AccountRecord | undefined>;
}

/** What may change of an account. */
export type AccountSettings = Pick<
  AccountRecord,
  'name' | 'tier' | 'characterLimit' | 'concurrencyLimit'
>;
