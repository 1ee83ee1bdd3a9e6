import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { TemporaryFiles } from '../../../../src/service/uploads/temporary-files.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

const ABC_SHA256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

describe('TemporaryFiles', () => {
  it('keeps content that can be read anywhere, and that has no name', async () => {
    const folder = temporaryDir();
    const files = new TemporaryFiles(folder);
    const file = await files.write(Readable.from([Buffer.from('a'), Buffer.from('bc')]));
    expect(file).toMatchObject({ sizeBytes: 3, sha256: ABC_SHA256 });
    expect(readdirSync(folder)).toEqual([]);
    for (const [position, length, text] of [
      [0, 3, 'abc'],
      [1, 1, 'b'],
      [2, 9, 'c'],
      [3, 1, ''],
      [9, 1, ''],
    ] as const) {
      expect(Buffer.from(await file.read(position, length)).toString()).toBe(text);
    }
    await file.close();
    await file.close();
    await expect(file.read(0, 1)).rejects.toThrow();
  });

  it('leaves nothing open of content that breaks off', async () => {
    const folder = temporaryDir();
    async function* broken() {
      yield Buffer.from('a');
      throw new Error('The sender is gone.');
    }
    const before = openFiles();
    await expect(new TemporaryFiles(folder).write(broken())).rejects.toThrow('sender is gone');
    expect(readdirSync(folder)).toEqual([]);
    expect(openFiles()).toBe(before);
  });

  it('sweeps away what a crash left named, and bears it when there is no folder', async () => {
    const folder = temporaryDir();
    writeFileSync(join(folder, 'left'), '');
    await new TemporaryFiles(folder).sweep();
    expect(readdirSync(folder)).toEqual([]);
    await new TemporaryFiles(join(folder, 'absent')).sweep();
  });
});

/** Removed files that this process still has open, as Linux tells; elsewhere none. */
function openFiles(): number {
  const handles = '/proc/self/fd';
  try {
    return readdirSync(handles).length;
  } catch {
    return 0;
  }
}
