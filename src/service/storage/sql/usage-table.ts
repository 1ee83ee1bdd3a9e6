import { CompiledQuery, type Kysely, type QueryResult, type Selectable } from 'kysely';
import type { SpendingBounds } from '../../../domain/account.ts';
import type { UsageEntry } from '../../../domain/usage.ts';
import type {
  Hold,
  HoldLimits,
  HoldResult,
  UsageSpan,
  UsageStore,
  UsageSubject,
} from '../usage-store.ts';
import { toAccount } from './account-table.ts';
import { condenseHourly, countHourly, readHourly } from './hourly-usage.ts';
import { flushRelaxed, relaxedTransaction } from './relaxed-transaction.ts';
import type { Schema } from './schema.ts';

/** In the rows of `character_usage` that count for an account as a whole. */
const WHOLE_ACCOUNT = '';
/** How long an expired hold waits for an owner that was only slow. */
const LATE_SETTLEMENT_MS = 3_600_000;

/**
 * What lies between a request and its first word is written as text: building these queries takes
 * longer than running them. Parameters are numbered by their first use, as both databases read them.
 */
const INSERT_HOLD = `
  insert into character_hold (hold_id, account_id, key_id, period_start_ms, characters, owner_id,
    expires_at_ms, hour_start_ms, model_id, voice_id, delivered, is_expired)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, 0)`;
const REMOVE_HOLD = 'delete from character_hold where hold_id = $1 returning *';
/** `$5`: the most that may have been counted before. */
const COUNT = `
  insert into character_usage (account_id, key_id, period_start_ms, characters, reached_limit)
  values ($1, $2, $3, $4, null)
  on conflict (account_id, period_start_ms, key_id) do update
    set characters = character_usage.characters + $4 where character_usage.characters <= $5`;
const CORRECT = `
  update character_usage set characters = characters + $1
  where account_id = $2 and period_start_ms = $3 and key_id = $4`;

/**
 * The ledger in tables of an SQL database. What a hold counts for is in its row, so that ending it is
 * one deletion, which happens once. Every transaction begins with a write, for a read would pin an
 * SQLite snapshot that cannot be written from; and takes the account's row before the key's, so that
 * two of them never wait for each other.
 */
export class UsageTable implements UsageStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
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
        await insertHold(transaction, hold);
        for (const [keyId, limit, result] of [
          [WHOLE_ACCOUNT, limits.account, 'account-limit'],
          [hold.keyId, limits.key, 'key-limit'],
        ] as const) {
          const isWithin = await countWithin(transaction, { ...hold, keyId }, limit);
          if (!isWithin) throw new LimitReached(result);
        }
      });
      return 'held';
    } catch (thrown) {
      if (thrown instanceof LimitReached) return thrown.result;
      throw thrown;
    }
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
      const [hold] = (await run<HoldRow>(transaction, REMOVE_HOLD, [holdId])).rows;
      if (!hold) return false;
      const isExpired = hold.is_expired === 1;
      await correct(transaction, hold, characters - (isExpired ? hold.delivered : hold.characters));
      await countHourly(transaction, hold, characters - (isExpired ? hold.delivered : 0));
      return true;
    });
  }

  async owners(): Promise<readonly string[]> {
    const rows = await this.#database
      .selectFrom('character_hold')
      .select('owner_id')
      .distinct()
      .where('is_expired', '=', 0)
      .execute();
    return rows.map((row) => row.owner_id);
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

  async usedOverTime(span: UsageSpan): Promise<readonly UsageEntry[]> {
    return readHourly(this.#database, span);
  }

  async condense(hoursFromMs: number, daysFromMs: number): Promise<void> {
    await condenseHourly(this.#database, hoursFromMs, daysFromMs);
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
      await correct(transaction, hold, hold.delivered - hold.characters);
      await countHourly(transaction, hold, hold.delivered);
      return true;
    });
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

/** @returns false, having counted nothing, when the count would pass the limit; null is none. */
async function countWithin(
  database: Kysely<Schema>,
  { accountId, keyId, periodStartMs, characters }: Count,
  limit: number | null,
): Promise<boolean> {
  // The condition of the query is asked only of a row that is there already.
  if (limit !== null && characters > limit) return false;
  const most = limit === null ? Number.MAX_SAFE_INTEGER : limit - characters;
  const values = [accountId, keyId, periodStartMs, characters, most];
  return (await run(database, COUNT, values)).numAffectedRows === 1n;
}

async function insertHold(database: Kysely<Schema>, hold: Hold): Promise<void> {
  await run(database, INSERT_HOLD, [
    hold.holdId,
    hold.accountId,
    hold.keyId,
    hold.periodStartMs,
    hold.characters,
    hold.ownerId,
    hold.expiresAtMs,
    hold.hourStartMs,
    hold.modelId,
    hold.voiceId,
  ]);
}

/** Corrects what a hold was counted as. */
async function correct(database: Kysely<Schema>, hold: HoldRow, characters: number): Promise<void> {
  if (characters === 0) return;
  for (const keyId of [WHOLE_ACCOUNT, hold.key_id]) {
    await run(database, CORRECT, [characters, hold.account_id, hold.period_start_ms, keyId]);
  }
}

/** @param values of `$1`, `$2` and so on. */
function run<Row>(
  database: Kysely<Schema>,
  text: string,
  values: readonly unknown[],
): Promise<QueryResult<Row>> {
  return database.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
}
