import type { Kysely, Selectable } from 'kysely';
import type { ApiKey } from '../../domain/account.ts';
import { type KeyStore, StorageError } from '../storage.ts';
import type { Schema } from './schema.ts';

/** API keys in a table of an SQL database. */
export class KeyTable implements KeyStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async add(key: ApiKey): Promise<void> {
    const { numInsertedOrUpdatedRows } = await this.#database
      .insertInto('api_key')
      .values({
        key_id: key.keyId,
        account_id: key.accountId,
        name: key.name,
        secret_hash: key.secretHash,
        last_four: key.lastFour,
        created_at_ms: key.createdAtMs,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 1n) return;
    throw new StorageError(`The API key ${key.keyId} is stored already.`);
  }

  async findByHash(secretHash: string): Promise<ApiKey | undefined> {
    const row = await this.#database
      .selectFrom('api_key')
      .selectAll()
      .where('secret_hash', '=', secretHash)
      .executeTakeFirst();
    return row && toApiKey(row);
  }

  async list(accountId: string): Promise<readonly ApiKey[]> {
    const rows = await this.#database
      .selectFrom('api_key')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('created_at_ms')
      .orderBy('key_id')
      .execute();
    return rows.map(toApiKey);
  }

  async remove(accountId: string, keyId: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('api_key')
      .where('account_id', '=', accountId)
      .where('key_id', '=', keyId)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }
}

function toApiKey(row: Selectable<Schema['api_key']>): ApiKey {
  return {
    keyId: row.key_id,
    accountId: row.account_id,
    name: row.name,
    secretHash: row.secret_hash,
    lastFour: row.last_four,
    createdAtMs: row.created_at_ms,
  };
}
