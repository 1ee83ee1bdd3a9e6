import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withLock } from '../../../models/setup/lock.mjs';
import { temporaryFolder } from './temporary-folder.ts';

describe('withLock', () => {
  it('lets one in at a time, tells who waits, and leaves nothing behind', async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'deep', 'lock');
    const waitedFor: string[] = [];
    let inside = 0;
    const enter = () =>
      withLock(
        file,
        (owner) => waitedFor.push(owner),
        async () => {
          expect(++inside).toBe(1);
          await new Promise((resolve) => setTimeout(resolve, 20));
          inside--;
          return 'done';
        },
      );
    expect(await Promise.all([enter(), enter(), enter()])).toEqual(['done', 'done', 'done']);
    expect(waitedFor[0]).toBe(`process ${process.pid}`);
    expect(await readdir(path.dirname(file))).toEqual([]);
  });

  it('opens again after a failure', async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'lock');
    const failing = withLock(
      file,
      () => undefined,
      () => Promise.reject(new Error('work failed')),
    );
    await expect(failing).rejects.toThrow('work failed');
    expect(
      await withLock(
        file,
        () => undefined,
        async () => 'next',
      ),
    ).toBe('next');
  });

  it('takes over from a process that died', async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'lock');
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    await writeFile(file, JSON.stringify({ pid: child.pid, host: os.hostname(), id: 'x' }));
    const enter = () =>
      withLock(
        file,
        () => undefined,
        async () => 'in',
      );
    expect(await Promise.all([enter(), enter()])).toEqual(['in', 'in']);
  });

  it('takes over a lock that nobody touches any more', async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'lock');
    await writeFile(file, JSON.stringify({ pid: 1, host: 'elsewhere', id: 'x' }));
    const old = new Date(Date.now() - 60_000);
    await utimes(file, old, old);
    expect(
      await withLock(
        file,
        () => undefined,
        async () => 'in',
      ),
    ).toBe('in');
  });
});
