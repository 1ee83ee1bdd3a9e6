import type { Kysely } from 'kysely';
import type { StoredToken, TokenStore } from '../token-store.ts';
import { accountTransaction } from './account-transaction.ts';
import type { Schema } from './schema.ts';

/** Single-use tokens in a table of an SQL database. */
export class TokenTable implements TokenStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async add(token: StoredToken, maximum: number, nowMs: number): Promise<boolean> {
    const { keyHash } = token;
    return accountTransaction(this.#database, 'single_use_token', keyHash, async (database) => {
      const { waiting } = await database
        .selectFrom('single_use_token')
        .select(({ fn }) => fn.countAll<number>().as('waiting'))
        .where('key_hash', '=', keyHash)
        .where('expires_at_ms', '>', nowMs)
        .executeTakeFirstOrThrow();
      if (waiting >= maximum) return false;
      await database
        .insertInto('single_use_token')
        .values({
          token_hash: token.tokenHash,
          key_hash: keyHash,
          purpose: token.purpose,
          expires_at_ms: token.expiresAtMs,
        })
        .execute();
      return true;
    });
  }

  async take(tokenHash: string, purpose: string, nowMs: number): Promise<StoredToken | undefined> {
    const row = await this.#database
      .deleteFrom('single_use_token')
      .where('token_hash', '=', tokenHash)
      .where('purpose', '=', purpose)
      .where('expires_at_ms', '>', nowMs)
      .returningAll()
      .executeTakeFirst();
    return (
      row && {
        tokenHash: row.token_hash,
        keyHash: row.key_hash,
        purpose: row.purpose,
        expiresAtMs: row.expires_at_ms,
      }
    );
  }

  async prune(nowMs: number): Promise<void> {
    await this.#database
      .deleteFrom('single_use_token')
      .where('expires_at_ms', '<=', nowMs)
      .execute();
  }
}
