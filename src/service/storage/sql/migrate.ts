import type { Kysely } from 'kysely';
import { StorageError } from '../storage.ts';
import { apiKeys } from './migrations/001-api-keys.ts';
import { accounts } from './migrations/002-accounts.ts';
import { history } from './migrations/003-history.ts';
import { voices } from './migrations/004-voices.ts';
import { dictionaries } from './migrations/005-dictionaries.ts';
import { singleUseTokens } from './migrations/006-single-use-tokens.ts';
import { webhooks } from './migrations/007-webhooks.ts';
import { storedLimits } from './migrations/008-stored-limits.ts';
import { hourlyUsage } from './migrations/009-hourly-usage.ts';
import type { Schema } from './schema.ts';

interface Migration {
  /** Recorded in the database: never renamed once released. */
  readonly name: string;
  readonly up: (database: Kysely<unknown>) => Promise<void>;
}

/** In the order they are applied; new ones go to the end. */
const MIGRATIONS: readonly Migration[] = [
  { name: '001-api-keys', up: apiKeys },
  { name: '002-accounts', up: accounts },
  { name: '003-history', up: history },
  { name: '004-voices', up: voices },
  { name: '005-dictionaries', up: dictionaries },
  { name: '006-single-use-tokens', up: singleUseTokens },
  { name: '007-webhooks', up: webhooks },
  { name: '008-stored-limits', up: storedLimits },
  { name: '009-hourly-usage', up: hourlyUsage },
];

/**
 * Brings a database up to date, all or nothing. To be called inside a transaction that no other
 * process can enter, so that two servers which start together do not both create the tables.
 *
 * @throws StorageError when a newer version of the program has changed the database.
 */
export async function migrate(database: Kysely<Schema>, now: () => number): Promise<void> {
  await database.schema
    .createTable('migration')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  const rows = await database.selectFrom('migration').select('name').execute();
  const applied = new Set(rows.map((row) => row.name));
  for (const { name, up } of MIGRATIONS) {
    if (applied.delete(name)) continue;
    // A migration works on the tables as they were then, which today's types do not describe.
    await up(database as unknown as Kysely<unknown>);
    await database.insertInto('migration').values({ name, applied_at_ms: now() }).execute();
  }
  if (applied.size === 0) return;
  throw new StorageError(
    `The database was changed by a newer version of Sidetone (${[...applied].join(', ')}). Start that version, or restore a backup made before it.`,
  );
}
