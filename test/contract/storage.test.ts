import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { openStorage } from '../../src/service/storage/open-storage.ts';
import type { Storage } from '../../src/service/storage/storage.ts';
import { findPostgres, PostgresServer } from '../support/postgres.ts';
import { storages } from '../support/storages.ts';
import { temporaryDir } from '../support/temporary-dir.ts';
import { historyItem } from './history-store-contract.ts';

for (const [technology, newPlace] of storages()) {
  describe(`storage on ${technology}`, () => {
    it('is made once by servers that start together', async () => {
      const place = newPlace();
      const opened = await Promise.all(Array.from({ length: 4 }, () => place.open()));
      await Promise.all(opened.map((storage) => storage.history.add(historyItem(), 0)));
      expect((await opened[0]?.history.listHidden(1, 10))?.length).toBe(4);
      for (const storage of opened) await storage.close();
    });

    it('keeps blobs beside the database', async () => {
      const place = newPlace();
      const before = await place.open();
      async function* content() {
        yield Buffer.from('audio');
      }
      await before.blobs.put('history/x', content());
      await before.close();
      await using after = await place.open();
      expect(await after.blobs.size('history/x')).toBe(5);
    });

    it('may be closed twice', async () => {
      const storage = await newPlace().open();
      await storage.close();
      await expect(storage.close()).resolves.toBeUndefined();
    });
  });
}

const programs = findPostgres();

describe.skipIf(!programs)('PostgreSQL storage', () => {
  let starting: Promise<PostgresServer> | undefined;
  const running = () => {
    if (!programs) throw new Error('There is no PostgreSQL.');
    starting ??= PostgresServer.start(programs);
    return starting;
  };
  afterAll(async () => (await starting)?.stop());

  async function open(databaseUrl: string): Promise<Storage> {
    return openStorage({ dataDir: temporaryDir(), databaseUrl });
  }

  it('goes on after the server was restarted', async () => {
    const server = await running();
    await using storage = await open(await server.newDatabase());
    const item = historyItem();
    await storage.history.add(item, 0);
    await server.halt();
    await expect(storage.history.listHidden(1, 10)).rejects.toThrow();
    await server.run();
    expect(await storage.history.listHidden(1, 10)).toEqual([item.historyItemId]);
  });

  it('writes no database into the data folder', async () => {
    const dataDir = temporaryDir();
    const server = await running();
    await using storage = await openStorage({ dataDir, databaseUrl: await server.newDatabase() });
    await storage.history.add(historyItem(), 0);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('refuses a database that a newer version has changed', async () => {
    const url = await (await running()).newDatabase();
    await (await open(url)).close();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("insert into migration (name, applied_at_ms) values ('999-future', 0)");
    await client.end();
    await expect(open(url)).rejects.toThrow(/newer version of Sidetone \(999-future\)/);
  });

  it('says which database cannot be used, and never the password', async () => {
    const password = randomUUID();
    const closed = await closedPort();
    const unreachable = open(`postgresql://user:${password}@127.0.0.1:${closed}/speech`);
    await expect(unreachable).rejects.toThrow(
      new RegExp(`PostgreSQL database at 127.0.0.1:${closed}/speech.*SIDETONE_DATABASE_URL`),
    );
    await expect(unreachable).rejects.not.toThrow(new RegExp(password));
    await expect(open('no address')).rejects.toThrow(/SIDETONE_DATABASE_URL/);
    const missing = (await (await running()).newDatabase()).replace(/[^/]+$/, 'missing');
    await expect(open(missing)).rejects.toThrow(/"missing" does not exist/);
  });
});

describe('storage with a bucket', () => {
  it('says what is wrong with its address before anything is written', async () => {
    const dataDir = join(temporaryDir(), 'data');
    await expect(openStorage({ dataDir, s3Url: 's3://bucket' })).rejects.toThrow(/SIDETONE_S3_URL/);
  });
});

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
