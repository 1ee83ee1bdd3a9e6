import { CompiledQuery, type InferResult, type Kysely, type Selectable } from 'kysely';
import type { AccountRecord, ApiKey, KeySettings, Scope } from '../../../domain/account.ts';
import { type KeyStore, type OwnedKey, StorageError } from '../storage.ts';
import { toAccount } from './account-table.ts';
import { accountTransaction } from './account-transaction.ts';
import type { Schema } from './schema.ts';

/**
 * Every request asks this, and building the query would take longer than running it: therefore it is
 * written as text. The columns are those of `ownedKeys`.
 */
const OWNED_KEY_BY_HASH = `
  select api_key.*, account.name as owner_name, account.tier, account.character_limit as owner_limit,
    account.concurrency_limit, account.created_at_ms as owner_created_at_ms
  from api_key join account on account.account_id = api_key.account_id
  where secret_hash = $1`;

/** API keys in a table of an SQL database. */
export class KeyTable implements KeyStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async add(key: ApiKey, maximum: number): Promise<boolean> {
    return accountTransaction(this.#database, 'api_key', key.accountId, async (database) => {
      const { stored } = await database
        .selectFrom('api_key')
        .select(({ fn }) => fn.countAll<number>().as('stored'))
        .where('account_id', '=', key.accountId)
        .executeTakeFirstOrThrow();
      if (stored >= maximum) return false;
      await this.#insert(database, key);
      return true;
    });
  }

  async #insert(database: Kysely<Schema>, key: ApiKey): Promise<void> {
    const { numInsertedOrUpdatedRows } = await database
      .insertInto('api_key')
      .values({
        key_id: key.keyId,
        account_id: key.accountId,
        secret_hash: key.secretHash,
        last_four: key.lastFour,
        created_at_ms: key.createdAtMs,
        ...settingColumns(key),
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 1n) return;
    throw new StorageError(`The API key ${key.keyId} is stored already.`);
  }

  async findByHash(secretHash: string): Promise<OwnedKey | undefined> {
    const { rows } = await this.#database.executeQuery<OwnedKeyRow>(
      CompiledQuery.raw(OWNED_KEY_BY_HASH, [secretHash]),
    );
    return rows[0] && toOwnedKey(rows[0]);
  }

  async find(keyId: string): Promise<OwnedKey | undefined> {
    const row = await ownedKeys(this.#database).where('key_id', '=', keyId).executeTakeFirst();
    return row && toOwnedKey(row);
  }

  async findOwner(accountId: string): Promise<AccountRecord | undefined> {
    const row = await this.#database
      .selectFrom('account')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row && toAccount(row);
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

  async usedCharacters(
    accountId: string,
    periodStartMs: number,
  ): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#database
      .selectFrom('character_usage')
      .select(['key_id', 'characters'])
      .where('account_id', '=', accountId)
      .where('period_start_ms', '=', periodStartMs)
      .where('key_id', '<>', '')
      .execute();
    return new Map(rows.map(({ key_id, characters }) => [key_id, characters]));
  }

  async replaceSecret(
    accountId: string,
    keyId: string,
    { secretHash, lastFour }: Pick<ApiKey, 'secretHash' | 'lastFour'>,
  ): Promise<ApiKey | undefined> {
    const row = await this.#database
      .updateTable('api_key')
      .set({ secret_hash: secretHash, last_four: lastFour })
      .where('account_id', '=', accountId)
      .where('key_id', '=', keyId)
      .returningAll()
      .executeTakeFirst();
    return row && toApiKey(row);
  }

  async change(
    accountId: string,
    keyId: string,
    settings: Partial<KeySettings>,
  ): Promise<ApiKey | undefined> {
    const row = await this.#database
      .updateTable('api_key')
      // An update must set something; the account stays what it is.
      .set({ account_id: accountId, ...settingColumns(settings) })
      .where('account_id', '=', accountId)
      .where('key_id', '=', keyId)
      .returningAll()
      .executeTakeFirst();
    return row && toApiKey(row);
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

/** Keys beside the accounts that own them. */
function ownedKeys(database: Kysely<Schema>) {
  return database
    .selectFrom('api_key')
    .innerJoin('account', 'account.account_id', 'api_key.account_id')
    .selectAll('api_key')
    .select([
      'account.name as owner_name',
      'account.tier',
      'account.character_limit as owner_limit',
      'account.concurrency_limit',
      'account.created_at_ms as owner_created_at_ms',
    ]);
}

type OwnedKeyRow = InferResult<ReturnType<typeof ownedKeys>>[number];

function toOwnedKey(row: OwnedKeyRow): OwnedKey {
  const owner = {
    account_id: row.account_id,
    name: row.owner_name,
    tier: row.tier,
    character_limit: row.owner_limit,
    concurrency_limit: row.concurrency_limit,
    created_at_ms: row.owner_created_at_ms,
  };
  return { key: toApiKey(row), account: toAccount(owner) };
}

type SettingColumns = Pick<
  Schema['api_key'],
  'name' | 'scopes' | 'character_limit' | 'allowed_addresses'
>;

function settingColumns(settings: KeySettings): SettingColumns;
function settingColumns(settings: Partial<KeySettings>): Partial<SettingColumns>;
function settingColumns({
  name,
  scopes,
  characterLimit,
  allowedAddresses,
}: Partial<KeySettings>): Partial<SettingColumns> {
  return {
    ...(name !== undefined && { name }),
    ...(scopes !== undefined && { scopes: scopes === 'all' ? null : JSON.stringify(scopes) }),
    ...(characterLimit !== undefined && { character_limit: characterLimit }),
    ...(allowedAddresses !== undefined && {
      allowed_addresses: allowedAddresses && JSON.stringify(allowedAddresses),
    }),
  };
}

function toApiKey(row: Selectable<Schema['api_key']>): ApiKey {
  return {
    keyId: row.key_id,
    accountId: row.account_id,
    name: row.name,
    secretHash: row.secret_hash,
    lastFour: row.last_four,
    createdAtMs: row.created_at_ms,
    scopes: row.scopes === null ? 'all' : (JSON.parse(row.scopes) as Scope[]),
    characterLimit: row.character_limit,
    allowedAddresses:
      row.allowed_addresses === null ? null : (JSON.parse(row.allowed_addresses) as string[]),
  };
}
