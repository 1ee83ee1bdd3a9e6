import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteThread } from '../../../../../src/service/storage/sqlite/sqlite-thread.ts';
import { StorageError } from '../../../../../src/service/storage/storage.ts';
import { apiKey } from '../../../../contract/key-store-contract.ts';
import { NO_LIMIT } from '../../../../support/storages.ts';
import { temporaryDir } from '../../../../support/temporary-dir.ts';

async function open() {
  const path = join(temporaryDir(), 'sidetone.db');
  const { thread, stores } = await SqliteThread.open({ path });
  onTestFinished(() => thread.close());
  return { path, thread, stores };
}

describe('the thread of the database', () => {
  it('answers each call with what its own statement gave', async () => {
    const { stores } = await open();
    const keys = Array.from({ length: 20 }, () => apiKey());
    await Promise.all(keys.map((key) => stores.keys.add(key, NO_LIMIT)));
    const found = await Promise.all(
      keys.map(({ secretHash }) => stores.keys.findByHash(secretHash)),
    );
    expect(found.map((owned) => owned?.key)).toEqual(keys);
  });

  it('tells errors as the stores throw them', async () => {
    const { stores } = await open();
    const key = apiKey();
    await stores.keys.add(key, NO_LIMIT);
    await expect(stores.keys.add(key, NO_LIMIT)).rejects.toBeInstanceOf(StorageError);
    await expect(stores.keys.add(key, NO_LIMIT)).rejects.toThrow(/stored already/);
    const orphan = { tokenHash: 'a', keyHash: 'b', purpose: 'c', expiresAtMs: 1 };
    await stores.tokens.add(orphan, NO_LIMIT, 0);
    await expect(stores.tokens.add(orphan, NO_LIMIT, 0)).rejects.toMatchObject({
      code: expect.stringContaining('SQLITE_CONSTRAINT'),
    });
  });

  it('is replaced when it dies; what was committed is there, what was asked has failed', async () => {
    const { thread, stores } = await open();
    const key = apiKey();
    await stores.keys.add(key, NO_LIMIT);
    const asked = stores.keys.list('default');
    const killed = thread.kill();
    await expect(asked).rejects.toBeInstanceOf(StorageError);
    await killed;
    expect(await stores.keys.list('default')).toEqual([key]);
    await stores.keys.add(apiKey(), NO_LIMIT);
  });

  it('leaves everything in the database file when it is closed', async () => {
    const { path, thread, stores } = await open();
    for (let index = 0; index < 20; index++) await stores.keys.add(apiKey(), NO_LIMIT);
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    await thread.close();
    expect(existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0).toBe(0);
    await expect(stores.keys.list('default')).rejects.toThrow('closed');
  });

  it('says why a file is no database', async () => {
    const path = join(temporaryDir(), 'sidetone.db');
    writeFileSync(path, 'no database at all'.repeat(100));
    await expect(SqliteThread.open({ path })).rejects.toMatchObject({ code: 'SQLITE_NOTADB' });
  });
});
