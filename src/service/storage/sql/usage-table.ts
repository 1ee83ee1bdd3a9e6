import type { Kysely, Selectable } from 'kysely';
import type { SpendingBounds } from '../../../domain/account.ts';
import type { Hold, HoldLimits, HoldResult, UsageStore, UsageSubject } from '../usage-store.ts';
import { toAccount } from './account-table.ts';
import { CompiledOnce } from './compiled-once.ts';
import { flushRelaxed, relaxedTransaction } from './relaxed-transaction.ts';
import type { Schema } from './schema.ts';

/** In the rows of `character_usage` that count for an account as a whole. */
const WHOLE_ACCOUNT = '';
/** How long an expired hold waits for an owner that was only slow. */
const LATE_SETTLEMENT_MS = 3_600_000;

/**
 * The ledger in tables of an SQL database. What a hold counts for is in its row, so that ending it is
 * one deletion, which happens once. Every transaction begins with a write, for a read would pin an
 * SQLite snapshot that cannot be written from; and takes the account's row before the key's, so that
 * two of them never wait for each other.
 */
export class UsageTable implements UsageStore {
  readonly #database: Kysely<Schema>;
  readonly #insertHold: CompiledOnce<Hold, unknown>;
  readonly #count: CompiledOnce<Count, unknown>;
  readonly #countWithin: CompiledOnce<Count & { readonly most: number }, unknown>;

  readonly #removeHold: CompiledOnce<Pick<Hold, 'holdId'>, HoldRow>;
  readonly #correct: CompiledOnce<Count, unknown>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
    this.#removeHold = new CompiledOnce(({ holdId }) =>
      database.deleteFrom('character_hold').where('hold_id', '=', holdId).returningAll(),
    );
    this.#correct = new CompiledOnce((count) => correction(database, count));
    this.#insertHold = new CompiledOnce((hold) => holdInsertion(database, hold));
    this.#count = new CompiledOnce((count) => counting(database, count));
    this.#countWithin = new CompiledOnce((count) => counting(database, count, count.most));
  }

  async bounds(accountId: string, keyId: string): Promise<SpendingBounds | undefined> {
    const row = await this.#database
      .selectFrom('account')
      .leftJoin('api_key', (join) =>
        join
          .onRef('api_key.account_id', '=', 'account.account_id')
          .on('api_key.key_id', '=', keyId),
      )
      .selectAll('account')
      .select('api_key.character_limit as key_limit')
      .where('account.account_id', '=', accountId)
      .executeTakeFirst();
    return row && { account: toAccount(row), keyLimit: row.key_limit };
  }

  async hold(hold: Hold, limits: HoldLimits): Promise<HoldResult> {
    try {
      await relaxedTransaction(this.#database, async (transaction) => {
        await this.#insertHold.run(transaction, hold);
        for (const [keyId, limit, result] of [
          [WHOLE_ACCOUNT, limits.account, 'account-limit'],
          [hold.keyId, limits.key, 'key-limit'],
        ] as const) {
          const isWithin = await this.#countHold(transaction, { ...hold, keyId }, limit);
          if (!isWithin) throw new LimitReached(result);
        }
      });
      return 'held';
    } catch (thrown) {
      if (thrown instanceof LimitReached) return thrown.result;
      throw thrown;
    }
  }

  /** @returns false, having counted nothing, when the count would pass the limit. */
  async #countHold(database: Kysely<Schema>, count: Count, limit: number | null): Promise<boolean> {
    // The condition of the query is asked only of a row that is there already.
    if (limit !== null && count.characters > limit) return false;
    const { numAffectedRows } =
      limit === null
        ? await this.#count.run(database, count)
        : await this.#countWithin.run(database, { ...count, most: limit - count.characters });
    return numAffectedRows === 1n;
  }

  async deliver(holdId: string, characters: number): Promise<void> {
    await relaxedTransaction(this.#database, (transaction) =>
      transaction
        .updateTable('character_hold')
        .set({ delivered: characters })
        .where('hold_id', '=', holdId)
        .where('is_expired', '=', 0)
        .execute(),
    );
  }

  async settle(holdId: string, characters: number): Promise<boolean> {
    return relaxedTransaction(this.#database, async (transaction) => {
      const [hold] = (await this.#removeHold.run(transaction, { holdId })).rows;
      if (!hold) return false;
      const counted = hold.is_expired === 1 ? hold.delivered : hold.characters;
      await this.#add(transaction, hold, characters - counted);
      return true;
    });
  }

  async extend(ownerId: string, expiresAtMs: number): Promise<void> {
    await this.#database
      .updateTable('character_hold')
      .set({ expires_at_ms: expiresAtMs })
      .where('owner_id', '=', ownerId)
      .where('is_expired', '=', 0)
      .execute();
  }

  async expire(nowMs: number): Promise<number> {
    const due = await this.#database
      .selectFrom('character_hold')
      .select(['hold_id', 'is_expired'])
      .where('expires_at_ms', '<=', nowMs)
      .execute();
    if (due.length === 0) return 0;
    let expired = 0;
    for (const { hold_id, is_expired } of due) {
      if (is_expired === 0 && (await this.#expire(hold_id, nowMs))) expired++;
    }
    await this.#database
      .deleteFrom('character_hold')
      .where('is_expired', '=', 1)
      .where('expires_at_ms', '<=', nowMs - LATE_SETTLEMENT_MS)
      .execute();
    return expired;
  }

  async flush(): Promise<void> {
    await flushRelaxed(this.#database);
  }

  async used({ accountId, keyId, periodStartMs }: UsageSubject): Promise<number> {
    const row = await this.#database
      .selectFrom('character_usage')
      .select('characters')
      .where('account_id', '=', accountId)
      .where('period_start_ms', '=', periodStartMs)
      .where('key_id', '=', keyId ?? WHOLE_ACCOUNT)
      .executeTakeFirst();
    return row?.characters ?? 0;
  }

  async markReached({ accountId, keyId, periodStartMs }: UsageSubject, limit: number) {
    const { numInsertedOrUpdatedRows } = await this.#database
      .insertInto('character_usage')
      .values({
        account_id: accountId,
        key_id: keyId ?? WHOLE_ACCOUNT,
        period_start_ms: periodStartMs,
        characters: 0,
        reached_limit: limit,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'period_start_ms', 'key_id'])
          .doUpdateSet({ reached_limit: limit })
          .where((row) =>
            row.or([
              row('character_usage.reached_limit', 'is', null),
              row('character_usage.reached_limit', '<>', limit),
            ]),
          ),
      )
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  /** @returns whether it was this call that expired it. */
  async #expire(holdId: string, nowMs: number): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const hold = await transaction
        .updateTable('character_hold')
        .set({ is_expired: 1 })
        .where('hold_id', '=', holdId)
        .where('is_expired', '=', 0)
        .where('expires_at_ms', '<=', nowMs)
        .returningAll()
        .executeTakeFirst();
      if (!hold) return false;
      await this.#add(transaction, hold, hold.delivered - hold.characters);
      return true;
    });
  }

  /** Corrects what a hold was counted as. */
  async #add(database: Kysely<Schema>, hold: HoldRow, characters: number): Promise<void> {
    if (characters === 0) return;
    const { account_id: accountId, period_start_ms: periodStartMs } = hold;
    for (const keyId of [WHOLE_ACCOUNT, hold.key_id]) {
      await this.#correct.run(database, { accountId, periodStartMs, keyId, characters });
    }
  }
}

/** Rolls a hold back. */
class LimitReached extends Error {
  readonly result: HoldResult;

  constructor(result: HoldResult) {
    super(result);
    this.result = result;
  }
}

type HoldRow = Selectable<Schema['character_hold']>;

/** What a hold adds to one row of `character_usage`. */
type Count = Pick<Hold, 'accountId' | 'periodStartMs' | 'keyId' | 'characters'>;

function holdInsertion(database: Kysely<Schema>, hold: Hold) {
  return database.insertInto('character_hold').values({
    hold_id: hold.holdId,
    account_id: hold.accountId,
    key_id: hold.keyId,
    period_start_ms: hold.periodStartMs,
    characters: hold.characters,
    delivered: 0,
    owner_id: hold.ownerId,
    expires_at_ms: hold.expiresAtMs,
    is_expired: 0,
  });
}

/** @param most that may have been counted before; without it there is no limit. */
function counting(
  database: Kysely<Schema>,
  { accountId, periodStartMs, keyId, characters }: Count,
  most?: number,
) {
  return database
    .insertInto('character_usage')
    .values({
      account_id: accountId,
      key_id: keyId,
      period_start_ms: periodStartMs,
      characters,
      reached_limit: null,
    })
    .onConflict((conflict) => {
      const counted = conflict
        .columns(['account_id', 'period_start_ms', 'key_id'])
        .doUpdateSet((row) => ({ characters: row('character_usage.characters', '+', characters) }));
      return most === undefined ? counted : counted.where('character_usage.characters', '<=', most);
    });
}

function correction(
  database: Kysely<Schema>,
  { accountId, periodStartMs, keyId, characters }: Count,
) {
  return database
    .updateTable('character_usage')
    .set((row) => ({ characters: row('characters', '+', characters) }))
    .where('account_id', '=', accountId)
    .where('period_start_ms', '=', periodStartMs)
    .where('key_id', '=', keyId);
}
