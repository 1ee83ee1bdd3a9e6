import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { openStorage } from '../../src/storage/open-storage.ts';
import { temporaryDir } from '../support/temporary-dir.ts';
import { apiKey, keyStoreContract } from './key-store-contract.ts';

const writer = fileURLToPath(new URL('key-store-writer.mjs', import.meta.url));

keyStoreContract('SQLite', () => {
  const dataDir = temporaryDir();
  return { open: () => openStorage({ dataDir }) };
});

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
    await storage.keys.add(apiKey());
    expect(statSync(dataDir).mode & 0o077).toBe(0);
    const files = readdirSync(dataDir);
    expect(files).toContain('sidetone.db');
    for (const file of files) {
      expect(statSync(join(dataDir, file)).mode & 0o077, file).toBe(0);
    }
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
