import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSecretBox } from '../../../../src/service/webhooks/secret-box.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw=';

describe('the secret box', () => {
  it('gives back what was sealed, also after a restart', async () => {
    const dataDir = temporaryDir();
    const sealed = (await openSecretBox(dataDir)).seal(SECRET, 'hook-1');
    expect(sealed).not.toContain(SECRET);
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('MfKQ9r8G');
    expect((await openSecretBox(dataDir)).open(sealed, 'hook-1')).toBe(SECRET);
  });

  it('never seals the same way twice', async () => {
    const box = await openSecretBox(temporaryDir());
    expect(box.seal(SECRET, 'hook-1')).not.toBe(box.seal(SECRET, 'hook-1'));
    expect(box.open(box.seal('', 'hook-1'), 'hook-1')).toBe('');
  });

  it('opens nothing for another owner, with another secret, or after a change', async () => {
    const box = await openSecretBox(temporaryDir());
    const other = await openSecretBox(temporaryDir());
    const sealed = box.seal(SECRET, 'hook-1');
    expect(() => box.open(sealed, 'hook-2')).toThrow();
    expect(() => other.open(sealed, 'hook-1')).toThrow();
    const bytes = Buffer.from(sealed, 'base64');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => box.open(changed.toString('base64'), 'hook-1'), `byte ${at}`).toThrow();
    }
    for (const short of ['', 'AAAA', sealed.slice(0, 30)])
      expect(() => box.open(short, 'hook-1')).toThrow();
  });

  it('keeps its file to its owner, even when somebody opened it up', async () => {
    const dataDir = join(temporaryDir(), 'not', 'yet');
    await openSecretBox(dataDir);
    const path = join(dataDir, 'server-secret');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o644);
    await openSecretBox(dataDir);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is the same for all who start together, and leaves one file', async () => {
    const dataDir = temporaryDir();
    const boxes = await Promise.all(Array.from({ length: 8 }, () => openSecretBox(dataDir)));
    const sealed = boxes[0]?.seal(SECRET, 'hook-1') ?? '';
    expect(boxes.map((box) => box.open(sealed, 'hook-1'))).toEqual(Array(8).fill(SECRET));
    expect(readdirSync(dataDir)).toEqual(['server-secret']);
  });

  it.each(['', 'short', 'zz'.repeat(32)])(
    'refuses a file that holds %j, and keeps it',
    async (text) => {
      const dataDir = temporaryDir();
      const path = join(dataDir, 'server-secret');
      writeFileSync(path, text);
      await expect(openSecretBox(dataDir)).rejects.toThrow(/server-secret.*Restore it/);
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );
});
