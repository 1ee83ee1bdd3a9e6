import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { hashSecret } from '../../src/service/account/api-key.ts';
import { audioKey } from '../../src/service/account/history.ts';
import { backUp, restore } from '../../src/service/storage/backup.ts';
import { openStorage } from '../../src/service/storage/open-storage.ts';
import { openSecretBox } from '../../src/service/webhooks/secret-box.ts';
import { addBackupCommand } from '../../src/tools/cli/backup-command.ts';
import { addRestoreCommand } from '../../src/tools/cli/restore-command.ts';
import { NO_LIMIT } from '../support/storages.ts';
import { temporaryDir } from '../support/temporary-dir.ts';
import { historyItem } from './history-store-contract.ts';
import { apiKey } from './key-store-contract.ts';

const writer = fileURLToPath(new URL('history-writer.mjs', import.meta.url));

/** A data folder with a key and a kept generation. */
async function filledDataDir() {
  const dataDir = join(temporaryDir(), 'data');
  const item = historyItem({ audioBytes: 5 });
  const key = apiKey({ secretHash: hashSecret('secret') });
  await using storage = await openStorage({ dataDir });
  await storage.keys.add(key, NO_LIMIT);
  await storage.history.add(item, 0);
  await storage.blobs.put(audioKey(item.historyItemId), Readable.from([Buffer.from('audio')]));
  await storage.history.show(item.historyItemId);
  return { dataDir, item, key };
}

/** Runs `sidetone backup` or `sidetone restore`. @returns what it printed. */
async function run(args: readonly string[], environment: Record<string, string> = {}) {
  let printed = '';
  const stderr = new Writable({
    write: (text, _encoding, done) => {
      printed += text;
      done();
    },
  });
  const program = new Command().exitOverride();
  const terminal = { environment, stdout: stderr, stderr };
  addBackupCommand(program, terminal);
  addRestoreCommand(program, terminal);
  await program.parseAsync(args, { from: 'user' });
  return printed;
}

describe('sidetone backup and sidetone restore', () => {
  it('bring everything into an empty folder', async () => {
    const { dataDir, item, key } = await filledDataDir();
    const backup = join(temporaryDir(), 'backup');
    const restored = join(temporaryDir(), 'restored');
    expect(await run(['backup', backup, '--data-dir', dataDir])).toMatch(
      /Copied the database and 1 files, 0\.\d MB/,
    );
    expect(await run(['restore', backup], { SIDETONE_DATA_DIR: restored })).toMatch(/Restored/);
    await using storage = await openStorage({ dataDir: restored });
    expect(await storage.keys.list('default')).toEqual([key]);
    expect(await storage.history.find('default', item.historyItemId)).toEqual(item);
    const audio = await storage.blobs.get(audioKey(item.historyItemId));
    expect(audio && String(await buffer(audio))).toBe('audio');
    expect(readdirSync(restored).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('leave PostgreSQL to its own tools', async () => {
    const environment = { SIDETONE_DATABASE_URL: 'postgresql://db/speech' };
    for (const command of ['backup', 'restore']) {
      await expect(run([command, 'x'], environment)).rejects.toThrow(/pg_dump/);
    }
  });

  it('say that audio in a bucket is not copied', async () => {
    const { dataDir } = await filledDataDir();
    const target = join(temporaryDir(), 'backup');
    const environment = { SIDETONE_S3_URL: 'https://k:s@s3/bucket', SIDETONE_DATA_DIR: dataDir };
    expect(await run(['backup', target], environment)).toMatch(/bucket/);
  });
});

describe('the secret that webhooks are signed with', () => {
  it('is brought back with the webhooks', async () => {
    const { dataDir } = await filledDataDir();
    const sealed = (await openSecretBox(dataDir)).seal('whsec_1', 'hook');
    const backup = join(temporaryDir(), 'backup');
    const restored = temporaryDir();
    await backUp(dataDir, backup);
    await restore(backup, restored);
    expect((await openSecretBox(restored)).open(sealed, 'hook')).toBe('whsec_1');
    // Where the database was lost and the secret was not, it may stay.
    rmSync(join(restored, 'sidetone.db'));
    rmSync(join(restored, 'blobs'), { recursive: true });
    await restore(backup, restored);
    expect((await openSecretBox(restored)).open(sealed, 'hook')).toBe('whsec_1');
  });

  it('is never put in the place of another', async () => {
    const { dataDir } = await filledDataDir();
    await openSecretBox(dataDir);
    const backup = join(temporaryDir(), 'backup');
    await backUp(dataDir, backup);
    const other = temporaryDir();
    const sealed = (await openSecretBox(other)).seal('whsec_2', 'hook');
    await expect(restore(backup, other)).rejects.toThrow(/move \S+server-secret away/);
    expect((await openSecretBox(other)).open(sealed, 'hook')).toBe('whsec_2');
  });
});

describe('backUp', () => {
  it('loses no audio of any item while a server goes on keeping more', async () => {
    const dataDir = temporaryDir();
    const child = spawn(process.execPath, [writer, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const backups: string[] = [];
    for (let index = 0; index < 5; index++) {
      const backup = join(temporaryDir(), 'backup');
      await backUp(dataDir, backup);
      backups.push(backup);
    }
    child.kill('SIGKILL');
    await once(child, 'close');
    let items = 0;
    for (const backup of backups) {
      const restored = temporaryDir();
      await restore(backup, restored);
      await using storage = await openStorage({ dataDir: restored });
      const query = { accountId: 'default', limit: 10_000, direction: 'newest-first' } as const;
      for (const item of await storage.history.list(query)) {
        items++;
        expect(await storage.blobs.size(audioKey(item.historyItemId))).toBe(item.audioBytes);
      }
    }
    expect(items).toBeGreaterThan(0);
  });

  it('is for its owner only', async () => {
    const { dataDir } = await filledDataDir();
    await openSecretBox(dataDir);
    const backup = join(temporaryDir(), 'backup');
    await backUp(dataDir, backup);
    for (const path of ['', ...readdirSync(backup, { recursive: true, encoding: 'utf8' })]) {
      expect(statSync(join(backup, path)).mode & 0o077, path).toBe(0);
    }
  });

  it('touches nothing that is there already, and is not there when it failed', async () => {
    const { dataDir } = await filledDataDir();
    const target = temporaryDir();
    await expect(backUp(dataDir, target)).rejects.toThrow(/there already/);
    expect(readdirSync(target)).toEqual([]);
    const missing = join(target, 'backup');
    await expect(backUp(join(target, 'nowhere'), missing)).rejects.toThrow(/no database at/);
    expect(existsSync(missing)).toBe(false);
  });

  it('takes up after one that was broken off', async () => {
    const { dataDir } = await filledDataDir();
    const target = join(temporaryDir(), 'backup');
    mkdirSync(`${target}.partial`);
    writeFileSync(join(`${target}.partial`, 'sidetone.db'), 'half');
    await backUp(dataDir, target);
    expect(existsSync(`${target}.partial`)).toBe(false);
  });
});

describe('restore', () => {
  it('overwrites no state', async () => {
    const { dataDir } = await filledDataDir();
    const backup = join(temporaryDir(), 'backup');
    await backUp(dataDir, backup);
    const before = readFileSync(join(dataDir, 'sidetone.db'));
    await expect(restore(backup, dataDir)).rejects.toThrow(/holds state already/);
    expect(readFileSync(join(dataDir, 'sidetone.db')).equals(before)).toBe(true);
  });

  it('refuses what is no backup, or a damaged one, and leaves the folder empty', async () => {
    const { dataDir } = await filledDataDir();
    const backup = join(temporaryDir(), 'backup');
    const target = temporaryDir();
    await expect(restore(temporaryDir(), target)).rejects.toThrow(/no database at/);
    await backUp(dataDir, backup);
    const path = join(backup, 'sidetone.db');
    const content = readFileSync(path);
    writeFileSync(path, content.fill(0x5a, 4096, content.length - 4096));
    await expect(restore(backup, target)).rejects.toThrow(/damaged/);
    expect(readdirSync(target)).toEqual([]);
  });
});
