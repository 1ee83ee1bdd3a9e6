import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { openStorage } from '../../src/service/storage/open-storage.ts';
import { NO_LIMIT, storages } from '../support/storages.ts';
import { temporaryDir } from '../support/temporary-dir.ts';
import { apiKey, keyStoreContract } from './key-store-contract.ts';

const writer = fileURLToPath(new URL('key-store-writer.mjs', import.meta.url));

for (const [technology, newPlace] of storages()) keyStoreContract(technology, newPlace);

describe('SQLite storage', () => {
  it('loses nothing when processes start together and write together', async () => {
    const dataDir = join(temporaryDir(), 'not', 'there', 'yet');
    const run = promisify(execFile);
    const prefixes = ['a', 'b', 'c', 'd'];
    await Promise.all(
      prefixes.map((prefix) => run(process.execPath, [writer, dataDir, prefix, '50'])),
    );
    await using storage = await openStorage({ dataDir });
    const ids = (await storage.keys.list('default')).map((key) => key.keyId);
    expect(ids.length).toBe(200);
    expect(new Set(ids).size).toBe(200);
  });

  it('keeps its files to its owner', async () => {
    const dataDir = join(temporaryDir(), 'data');
    await using storage = await openStorage({ dataDir });
    await storage.keys.add(apiKey(), NO_LIMIT);
    expect(statSync(dataDir).mode & 0o077).toBe(0);
    const files = readdirSync(dataDir);
    expect(files).toContain('sidetone.db');
    for (const file of files) {
      expect(statSync(join(dataDir, file)).mode & 0o077, file).toBe(0);
    }
  });

  it('keeps the keys of an earlier version, which had no limits and one account', async () => {
    const dataDir = temporaryDir();
    const database = new Database(join(dataDir, 'sidetone.db'));
    database.exec(`
      create table migration (name text primary key, applied_at_ms bigint not null);
      insert into migration values ('001-api-keys', 1);
      create table api_key (key_id text primary key, account_id text not null, name text not null,
        secret_hash text not null unique, last_four text not null, created_at_ms bigint not null);
      insert into api_key values ('old', 'default', 'bot', 'hash', 'abcd', 5);
    `);
    database.close();
    await using storage = await openStorage({ dataDir });
    expect(await storage.keys.findByHash('hash')).toMatchObject({
      key: apiKey({
        keyId: 'old',
        name: 'bot',
        secretHash: 'hash',
        lastFour: 'abcd',
        createdAtMs: 5,
      }),
      account: { accountId: 'default', tier: 'business', characterLimit: null },
    });
  });

  it('says what to do about a file that is no database, and leaves it as it is', async () => {
    const dataDir = temporaryDir();
    const path = join(dataDir, 'sidetone.db');
    const content = randomBytes(8192);
    writeFileSync(path, content);
    await expect(openStorage({ dataDir })).rejects.toThrow(/sidetone\.db.*Move the file away/s);
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  it('says what to do about a folder that cannot be made', async () => {
    const file = join(temporaryDir(), 'file');
    writeFileSync(file, '');
    await expect(openStorage({ dataDir: join(file, 'data') })).rejects.toThrow(/SIDETONE_DATA_DIR/);
  });

  it('refuses a database that a newer version has changed', async () => {
    const dataDir = temporaryDir();
    await (await openStorage({ dataDir })).close();
    const database = new Database(join(dataDir, 'sidetone.db'));
    database.exec("insert into migration (name, applied_at_ms) values ('999-future', 0)");
    database.close();
    await expect(openStorage({ dataDir })).rejects.toThrow(
      /newer version of Sidetone \(999-future\)/,
    );
  });
});
