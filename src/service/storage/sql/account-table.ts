import type { Kysely, Selectable } from 'kysely';
import type { AccountRecord } from '../../../domain/account.ts';
import type { AccountSettings, AccountStore } from '../account-store.ts';
import type { Schema } from './schema.ts';

/** Accounts in a table of an SQL database. */
export class AccountTable implements AccountStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async add(account: AccountRecord): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#database
      .insertInto('account')
      .values({
        account_id: account.accountId,
        name: account.name,
        tier: account.tier,
        character_limit: account.characterLimit,
        concurrency_limit: account.concurrencyLimit,
        created_at_ms: account.createdAtMs,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  async find(accountId: string): Promise<AccountRecord | undefined> {
    const row = await this.#database
      .selectFrom('account')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row && toAccount(row);
  }

  async list(): Promise<readonly AccountRecord[]> {
    const rows = await this.#database
      .selectFrom('account')
      .selectAll()
      .orderBy('created_at_ms')
      .orderBy('account_id')
      .execute();
    return rows.map(toAccount);
  }

  async change(
    accountId: string,
    { name, tier, characterLimit, concurrencyLimit }: Partial<AccountSettings>,
  ): Promise<AccountRecord | undefined> {
    const row = await this.#database
      .updateTable('account')
      .set({
        // An update must set something; the id stays what it is.
        account_id: accountId,
        ...(name !== undefined && { name }),
        ...(tier !== undefined && { tier }),
        ...(characterLimit !== undefined && { character_limit: characterLimit }),
        ...(concurrencyLimit !== undefined && { concurrency_limit: concurrencyLimit }),
      })
      .where('account_id', '=', accountId)
      .returningAll()
      .executeTakeFirst();
    return row && toAccount(row);
  }
}

export function toAccount(row: Selectable<Schema['account']>): AccountRecord {
  return {
    accountId: row.account_id,
    name: row.name,
    tier: row.tier,
    characterLimit: row.character_limit,
    concurrencyLimit: row.concurrency_limit,
    createdAtMs: row.created_at_ms,
  };
}
