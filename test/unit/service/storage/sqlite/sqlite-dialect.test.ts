import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteConnection } from '../../../../../src/service/storage/sqlite/sqlite-connection.ts';
import { sqliteDialect } from '../../../../../src/service/storage/sqlite/sqlite-dialect.ts';
import { WriteLock } from '../../../../../src/service/storage/sqlite/write-lock.ts';
import { temporaryDir } from '../../../../support/temporary-dir.ts';

interface Words {
  word: { text: string; length: number };
}

/** A database that many callers share, and another process's connection to it. */
async function open(timeoutMs = 10_000) {
  const path = join(temporaryDir(), 'words.db');
  const other = new Database(path);
  other.exec('pragma journal_mode = wal; create table word (text text primary key, length int)');
  const lock = new WriteLock(timeoutMs);
  const database = new Kysely<Words>({
    dialect: sqliteDialect(new SqliteConnection(path), lock),
  });
  onTestFinished(async () => {
    await database.destroy();
    other.close();
  });
  const add = async (text: string) => {
    await database.insertInto('word').values({ text, length: text.length }).execute();
  };
  const words = async () =>
    (await database.selectFrom('word').select('text').orderBy('length').execute()).map(
      ({ text }) => text,
    );
  return { database, other, lock, add, words };
}

describe('callers that share one connection', () => {
  it('write in the order they came', async () => {
    const { other, add } = await open();
    const texts = ['c', 'a', 'd', 'b', 'e'];
    await Promise.all(texts.map(add));
    expect(other.prepare('select text from word order by rowid').all()).toEqual(
      texts.map((text) => ({ text })),
    );
  });

  it('see nothing of a transaction that is not committed, or is undone', async () => {
    const { database, words } = await open();
    let looking: Promise<string[]> | undefined;
    const undone = database.transaction().execute(async (transaction) => {
      await transaction.insertInto('word').values({ text: 'one', length: 3 }).execute();
      looking = words();
      await sleep(20);
      expect(await transaction.selectFrom('word').selectAll().execute()).toHaveLength(1);
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect(await looking).toEqual([]);
  });

  it('go on after a statement that breaks a rule, in a transaction or not', async () => {
    const { database, add, words } = await open();
    await add('one');
    await expect(add('one')).rejects.toMatchObject({ code: expect.stringContaining('CONSTRAINT') });
    const broken = database.transaction().execute(async (transaction) => {
      await transaction.insertInto('word').values({ text: 'four', length: 4 }).execute();
      await transaction.insertInto('word').values({ text: 'one', length: 4 }).execute();
    });
    await expect(broken).rejects.toThrow(/UNIQUE/);
    await add('three');
    expect(await words()).toEqual(['one', 'three']);
  });
});

describe('while another process has the lock', () => {
  it('readers go on, and writers wait for it', async () => {
    const { other, add, words } = await open();
    await add('one');
    other.exec('begin immediate');
    const adding = Promise.all([add('three'), add('seven')]);
    await sleep(50);
    expect(await words()).toEqual(['one']);
    other.exec('commit');
    await adding;
    expect(await words()).toHaveLength(3);
  });

  it('writers wait no longer than they should, those behind them included', async () => {
    const { other, add, words } = await open(500);
    other.exec('begin immediate');
    const startMs = performance.now();
    const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map(add));
    // One after the other, each with its own time, would take four times as long.
    expect(performance.now() - startMs).toBeLessThan(1_900);
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'SQLITE_BUSY' } });
    }
    other.exec('commit');
    await add('after');
    expect(await words()).toEqual(['after']);
  });

  it('nobody waits for it any more once the lock is closed', async () => {
    const { other, lock, add } = await open();
    other.exec('begin immediate');
    const adding = add('one');
    lock.close();
    await expect(adding).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    other.exec('rollback');
  });

  it('a pragma waits like a write', async () => {
    const { database, other } = await open();
    other.exec('begin immediate');
    const ending = sleep(30).then(() => other.exec('commit'));
    await sql`pragma wal_checkpoint(truncate)`.execute(database);
    await ending;
  });
});
