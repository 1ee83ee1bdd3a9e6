import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SqliteConnection } from '../../../../../src/service/storage/sqlite/sqlite-connection.ts';
import { temporaryDir } from '../../../../support/temporary-dir.ts';

const ADD = 'insert into word (text, length) values (?, ?) returning length';
const SHORTEN = 'update word set length = length - 1 where text = ?';
const ALL = 'select * from word order by text';

/** A connection, and another process's, both on one table of words; neither waits long for the other. */
function open({ limit = 10 } = {}) {
  const path = join(temporaryDir(), 'words.db');
  const other = new Database(path, { timeout: 20 });
  other.exec('pragma journal_mode = wal; create table word (text text primary key, length int)');
  const connection = new Database(path, { timeout: 20 });
  const prepare = vi.spyOn(connection, 'prepare');
  const cached = new SqliteConnection(connection, limit);
  onTestFinished(() => {
    cached.close();
    other.close();
  });
  const run = (text: string, parameters: unknown[] = []) => cached.prepare(text).run(parameters);
  const all = (text: string, parameters: unknown[] = []) => cached.prepare(text).all(parameters);
  const words = () => other.prepare('select text from word order by text').all();
  const prepared = () => prepare.mock.calls.map(([text]) => text);
  return { cached, other, prepared, run, all, words };
}

describe('prepared statements', () => {
  it('are kept by their text, and run with other values each time', () => {
    const { all, run, prepared } = open();
    expect(all(ADD, ['one', 3])).toEqual([{ length: 3 }]);
    expect(all(ADD, ['three', 5])).toEqual([{ length: 5 }]);
    expect(run(SHORTEN, ['one']).changes).toBe(1);
    expect(run(SHORTEN, ['none']).changes).toBe(0);
    expect(all(ALL)).toEqual([
      { text: 'one', length: 2 },
      { text: 'three', length: 5 },
    ]);
    expect(prepared()).toEqual([ADD, SHORTEN, ALL]);
  });

  it('are kept to a limit: the least recently used goes', () => {
    const { cached, all, prepared } = open({ limit: 2 });
    for (const number of [1, 2, 1, 3, 1, 2]) all(`select ${number}`);
    expect(prepared()).toEqual(['select 1', 'select 2', 'select 3', 'select 2']);
    expect(cached.size).toBe(2);
  });

  it('live through changes of the schema, by this connection or another', () => {
    const { all, run, other, prepared } = open();
    all(ADD, ['one', 3]);
    expect(all(ALL)).toEqual([{ text: 'one', length: 3 }]);
    other.exec('alter table word add column kind text');
    expect(all(ALL)).toEqual([{ text: 'one', length: 3, kind: null }]);
    run('alter table word drop column length');
    expect(all(ALL)).toEqual([{ text: 'one', kind: null }]);
    run('drop table word');
    expect(() => all(ALL)).toThrow(/no such table/);
    run('create table word (text text)');
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

  it('may be read from while the same text runs again', () => {
    const { cached, all } = open();
    for (const text of ['a', 'b', 'c']) all(ADD, [text, 1]);
    const reading = cached.prepare(ALL).iterate([]);
    expect(reading.next().value).toMatchObject({ text: 'a' });
    expect(all(ALL).length).toBe(3);
    expect(reading.next().value).toMatchObject({ text: 'b' });
  });
});

describe('pragmas', () => {
  it('take effect each time', () => {
    const { run, cached } = open();
    const level = () =>
      cached.prepare('select synchronous as level from pragma_synchronous').all([]);
    for (const [name, value] of [
      ['normal', 1],
      ['full', 2],
      ['normal', 1],
      ['full', 2],
    ] as const) {
      run(`pragma synchronous = ${name}; pragma wal_autocheckpoint = 0`);
      expect(level()).toEqual([{ level: value }]);
    }
  });
});

describe('a write', () => {
  it.each([
    ['that returns rows', (words: ReturnType<typeof open>) => words.all(ADD, ['two', 3])],
    ['that returns none', (words: ReturnType<typeof open>) => words.run(SHORTEN, ['one'])],
    ['in a transaction', (words: ReturnType<typeof open>) => words.run('begin')],
  ])('%s, while another process writes, fails and leaves the connection usable', (_name, write) => {
    const words = open();
    words.all(ADD, ['one', 3]);
    words.other.exec('begin immediate');
    for (const _again of [1, 2]) expect(() => write(words)).toThrow(/locked/);
    words.other.exec('commit');
    words.all(ADD, ['four', 4]);
    words.run('begin');
    words.all(ADD, ['five', 4]);
    words.run('commit');
    expect(words.words()).toMatchObject([{ text: 'five' }, { text: 'four' }, { text: 'one' }]);
    // The other process is not kept from writing either.
    words.other.exec("insert into word values ('six', 3)");
    expect(words.all(ALL).length).toBe(4);
  });

  it('that breaks a rule changes nothing, and the next one counts', () => {
    const { all, words } = open();
    all(ADD, ['one', 3]);
    for (const _again of [1, 2]) expect(() => all(ADD, ['one', 4])).toThrow(/UNIQUE/);
    all(ADD, ['two', 3]);
    expect(words()).toEqual([{ text: 'one' }, { text: 'two' }]);
  });

  it('in a transaction is undone with it', () => {
    const { all, run, words } = open();
    run('begin');
    all(ADD, ['one', 3]);
    expect(() => all(ADD, ['one', 3])).toThrow(/UNIQUE/);
    all(ADD, ['two', 3]);
    run('rollback');
    expect(words()).toEqual([]);
  });
});
