import { createHash } from 'node:crypto';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { VerifiedFiles } from '../../../models/setup/verify.mjs';
import { temporaryFolder } from './temporary-folder.ts';

const content = Buffer.from('weights');
const sha256 = createHash('sha256').update(content).digest('hex');
const file = { path: 'voice.onnx', size: content.length, sha256, sources: [] };

describe('VerifiedFiles', () => {
  it('accepts the right bytes and nothing else', async () => {
    await using folder = await temporaryFolder();
    const place = path.join(folder.path, file.path);
    const holds = () => new VerifiedFiles(folder.path).holds(file);
    expect(await holds()).toBe(false);
    await writeFile(place, 'weight');
    expect(await holds()).toBe(false);
    await writeFile(place, 'weighty');
    expect(await holds()).toBe(false);
    await writeFile(place, content);
    expect(await holds()).toBe(true);
  });

  it('hashes a file once, and again when it changed or the manifest did', async () => {
    await using folder = await temporaryFolder();
    const place = path.join(folder.path, file.path);
    const moment = new Date(1_700_000_000_000);
    await writeFile(place, content);
    await utimes(place, moment, moment);
    expect(await new VerifiedFiles(folder.path).holds(file)).toBe(true);
    // Same size and time: only hashing could tell, and it is not done again.
    await writeFile(place, 'WEIGHTS');
    await utimes(place, moment, moment);
    expect(await new VerifiedFiles(folder.path).holds(file)).toBe(true);
    expect(
      await new VerifiedFiles(folder.path).holds({
        ...file,
        sha256: '0'.repeat(64),
      }),
    ).toBe(false);
    await utimes(place, new Date(), new Date());
    expect(await new VerifiedFiles(folder.path).holds(file)).toBe(false);
  });

  it('survives a damaged memory', async () => {
    await using folder = await temporaryFolder();
    await writeFile(path.join(folder.path, file.path), content);
    const verified = new VerifiedFiles(folder.path);
    await verified.remember(file, sha256);
    const memory = path.join(folder.path, '.cache', 'verified.json');
    expect(JSON.parse(await readFile(memory, 'utf8'))).toHaveProperty(
      ['voice.onnx', 'sha256'],
      sha256,
    );
    await writeFile(memory, '{"half');
    expect(await new VerifiedFiles(folder.path).holds(file)).toBe(true);
  });
});
