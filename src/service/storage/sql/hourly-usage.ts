import { CompiledQuery, type Kysely, type Selectable } from 'kysely';
import type { UsageEntry } from '../../../domain/usage.ts';
import type { UsageSpan } from '../usage-store.ts';
import type { Schema } from './schema.ts';

/** As text, like all that is written between two words of somebody: see `usage-table.ts`. */
const COUNT = `
  insert into hourly_usage (account_id, from_ms, key_id, model_id, voice_id, characters)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (account_id, from_ms, key_id, model_id, voice_id) do update
    set characters = hourly_usage.characters + $6`;
/** `$1`: a day. `$2`: the beginning of one. */
const SUM_UP_DAYS = `
  insert into hourly_usage (account_id, from_ms, key_id, model_id, voice_id, characters)
  select account_id, from_ms - from_ms % $1, key_id, model_id, voice_id, sum(characters)
  from hourly_usage where from_ms < $2 and from_ms % $1 <> 0
  group by account_id, from_ms - from_ms % $1, key_id, model_id, voice_id
  on conflict (account_id, from_ms, key_id, model_id, voice_id) do update
    set characters = hourly_usage.characters + excluded.characters`;
const DROP_SUMMED_UP = 'delete from hourly_usage where from_ms % $1 <> 0 and from_ms < $2';
const DROP_OLD = 'delete from hourly_usage where from_ms < $1';
const DAY_MS = 86_400_000;

const COLUMNS = { key: 'key_id', model: 'model_id', voice: 'voice_id' } as const;

type HoldRow = Selectable<Schema['character_hold']>;

/** Counts characters of a hold for the hour in which its request began. */
export async function countHourly(
  database: Kysely<Schema>,
  hold: HoldRow,
  characters: number,
): Promise<void> {
  if (characters === 0) return;
  const { account_id, hour_start_ms, key_id, model_id, voice_id } = hold;
  const values = [account_id, hour_start_ms, key_id, model_id, voice_id, characters];
  await database.executeQuery(CompiledQuery.raw(COUNT, values));
}

/** @returns the oldest first. */
export async function readHourly(
  database: Kysely<Schema>,
  { accountId, fromMs, toMs, by }: UsageSpan,
): Promise<readonly UsageEntry[]> {
  const summed = database
    .selectFrom('hourly_usage')
    .select(({ fn }) => ['from_ms', fn.sum<number>('characters').as('characters')])
    .where('account_id', '=', accountId)
    .where('from_ms', '>=', fromMs)
    .where('from_ms', '<', toMs)
    .groupBy('from_ms')
    .orderBy('from_ms');
  if (by === undefined) {
    const rows = await summed.execute();
    return rows.map((row) => ({ fromMs: row.from_ms, label: '', characters: row.characters }));
  }
  const column = COLUMNS[by];
  const rows = await summed.select(`${column} as label`).groupBy(column).execute();
  return rows.map(({ from_ms, ...row }) => ({ fromMs: from_ms, ...row }));
}

/** Keeps days of what is older than one time, and nothing of what is older than another. */
export async function condenseHourly(
  database: Kysely<Schema>,
  hoursFromMs: number,
  daysFromMs: number,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const [text, values] of [
      [DROP_OLD, [daysFromMs]],
      [SUM_UP_DAYS, [DAY_MS, hoursFromMs]],
      [DROP_SUMMED_UP, [DAY_MS, hoursFromMs]],
    ] as const) {
      await transaction.executeQuery(CompiledQuery.raw(text, [...values]));
    }
  });
}
