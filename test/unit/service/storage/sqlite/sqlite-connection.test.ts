import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SqliteConnection } from '../../../../../src/service/storage/sqlite/sqlite-connection.ts';
import { temporaryDir } from '../../../../support/temporary-dir.ts';

const ADD = 'insert into word (text, length) values (?, ?) returning length';
const SHORTEN = 'update word set length = length - 1 where text = ?';
const ALL = 'select * from word order by text';

/** A connection, and another process's, both on one table of words. */
function open({ limit = 10 } = {}) {
  const path = join(temporaryDir(), 'words.db');
  const other = new Database(path);
  other.exec('pragma journal_mode = wal; create table word (text text primary key, length int)');
  const prepare = vi.spyOn(Database.prototype, 'prepare');
  const connection = new SqliteConnection(path, limit);
  onTestFinished(() => {
    connection.close();
    other.close();
    prepare.mockRestore();
  });
  const query = (text: string, parameters: unknown[] = []) => connection.query(text, parameters);
  const all = (text: string, parameters: unknown[] = []) => query(text, parameters).rows;
  const prepared = () => prepare.mock.calls.map(([text]) => text);
  return { connection, other, prepared, query, all };
}

describe('prepared statements', () => {
  it('are kept by their text, and run with other values each time', () => {
    const { all, query, prepared } = open();
    expect(all(ADD, ['one', 3])).toEqual([{ length: 3 }]);
    expect(all(ADD, ['three', 5])).toEqual([{ length: 5 }]);
    expect(query(SHORTEN, ['one']).changes).toBe(1);
    expect(query(SHORTEN, ['none']).changes).toBe(0);
    expect(all(ALL)).toEqual([
      { text: 'one', length: 2 },
      { text: 'three', length: 5 },
    ]);
    expect(prepared()).toEqual([ADD, SHORTEN, ALL]);
  });

  it('are kept to a limit: the least recently used goes', () => {
    const { connection, all, prepared } = open({ limit: 2 });
    for (const number of [1, 2, 1, 3, 1, 2]) all(`select ${number}`);
    expect(prepared()).toEqual(['select 1', 'select 2', 'select 3', 'select 2']);
    expect(connection.size).toBe(2);
  });

  it('live through changes of the schema, by this connection or another', () => {
    const { all, query, other, prepared } = open();
    all(ADD, ['one', 3]);
    expect(all(ALL)).toEqual([{ text: 'one', length: 3 }]);
    other.exec('alter table word add column kind text');
    expect(all(ALL)).toEqual([{ text: 'one', length: 3, kind: null }]);
    query('alter table word drop column length');
    expect(all(ALL)).toEqual([{ text: 'one', kind: null }]);
    query('drop table word');
    expect(() => all(ALL)).toThrow(/no such table/);
    query('create table word (text text)');
    expect(all(ALL)).toEqual([]);
    expect(prepared().filter((text) => text === ALL).length).toBe(2);
  });

  it('see what others have written since', () => {
    const { all, other } = open();
    expect(all(ALL)).toEqual([]);
    for (let index = 0; index < 250; index++) {
      other.prepare('insert into word values (?, 1)').run(`word ${index}`);
      if (index % 50 === 0) expect(all(ALL).length).toBe(index + 1);
    }
    expect(all(`${ALL} limit 100`).length).toBe(100);
    expect(all(ALL).length).toBe(250);
  });
});

describe('pragmas', () => {
  it('take effect each time', () => {
    const { connection, all } = open();
    for (const [name, value] of [
      ['normal', 1],
      ['full', 2],
      ['normal', 1],
      ['full', 2],
    ] as const) {
      connection.execute(`pragma synchronous = ${name}; pragma wal_autocheckpoint = 0`);
      expect(all('select synchronous as level from pragma_synchronous')).toEqual([
        { level: value },
      ]);
    }
  });
});

describe('a transaction', () => {
  it('that another process is in the way of fails at once, and leaves the connection usable', () => {
    const { connection, other, all, query } = open();
    other.exec('begin immediate');
    for (const _again of [1, 2]) {
      expect(() => connection.execute('begin immediate')).toThrow(
        expect.objectContaining({ code: 'SQLITE_BUSY' }),
      );
    }
    expect(all(ALL)).toEqual([]);
    other.exec('commit');
    connection.execute('begin immediate');
    query(ADD, ['five', 4]);
    connection.execute('commit');
    // The other process is not kept from writing either.
    other.exec("insert into word values ('six', 3)");
    expect(all(ALL).length).toBe(2);
  });

  it('takes back what it has written when it is rolled back', () => {
    const { connection, other, all } = open();
    connection.execute('begin immediate');
    all(ADD, ['one', 3]);
    for (const _again of [1, 2]) expect(() => all(ADD, ['one', 4])).toThrow(/UNIQUE/);
    all(ADD, ['two', 3]);
    connection.execute('rollback');
    expect(other.prepare(ALL).all()).toEqual([]);
  });
});
