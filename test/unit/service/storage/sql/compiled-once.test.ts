import { Kysely, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CompiledOnce } from '../../../../../src/service/storage/sql/compiled-once.ts';
import type { Schema } from '../../../../../src/service/storage/sql/schema.ts';
import { SqliteConnection } from '../../../../../src/service/storage/sqlite/sqlite-connection.ts';

function open() {
  const connection = new Database(':memory:');
  connection.exec(`create table character_usage (account_id text, key_id text,
    period_start_ms int, characters int, reached_limit int)`);
  const dialect = new SqliteDialect({ database: new SqliteConnection(connection) });
  const database = new Kysely<Schema>({ dialect });
  onTestFinished(() => database.destroy());
  return database;
}

describe('a query that is compiled once', () => {
  it('runs with the values of each call, wherever and however often it uses them', async () => {
    const database = open();
    let built = 0;
    const insertion = new CompiledOnce<{ account: string; count: number }, unknown>(
      ({ account, count }) => {
        built++;
        return database.insertInto('character_usage').values({
          key_id: 'fixed',
          characters: count,
          account_id: account,
          period_start_ms: count,
          reached_limit: null,
        });
      },
    );
    expect((await insertion.run(database, { count: 3, account: 'one' })).numAffectedRows).toBe(1n);
    await insertion.run(database, { account: 'two', count: 0 });
    expect(built).toBe(1);
    expect(await database.selectFrom('character_usage').selectAll().execute()).toEqual([
      {
        account_id: 'one',
        key_id: 'fixed',
        period_start_ms: 3,
        characters: 3,
        reached_limit: null,
      },
      {
        account_id: 'two',
        key_id: 'fixed',
        period_start_ms: 0,
        characters: 0,
        reached_limit: null,
      },
    ]);
  });

  it('is part of a transaction that it is run in', async () => {
    const database = open();
    const all = new CompiledOnce<{ account: string }, { characters: number }>(({ account }) =>
      database.selectFrom('character_usage').select('characters').where('account_id', '=', account),
    );
    const undone = database.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('character_usage')
        .values({
          account_id: 'one',
          key_id: '',
          period_start_ms: 0,
          characters: 7,
          reached_limit: null,
        })
        .execute();
      expect((await all.run(transaction, { account: 'one' })).rows).toEqual([{ characters: 7 }]);
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect((await all.run(database, { account: 'one' })).rows).toEqual([]);
  });
});
