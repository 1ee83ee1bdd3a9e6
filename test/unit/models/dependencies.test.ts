import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { areInstalled } from '../../../models/setup/dependencies.mjs';
import { temporaryFolder } from './temporary-folder.ts';

const locked = {
  '': { version: '0.1.0' },
  'node_modules/ws': { version: '8.0.0', integrity: 'sha512-a' },
  'node_modules/vitest': { version: '4.0.0', integrity: 'sha512-b', dev: true },
  'node_modules/other-platform': {
    version: '1.0.0',
    integrity: 'sha512-c',
    optional: true,
  },
};

async function check(installed: Record<string, object> | undefined, withDevelopment: boolean) {
  await using folder = await temporaryFolder();
  await mkdir(path.join(folder.path, 'node_modules'));
  await writeFile(
    path.join(folder.path, 'package-lock.json'),
    JSON.stringify({ packages: locked }),
  );
  if (installed !== undefined) {
    const record = path.join(folder.path, 'node_modules', '.package-lock.json');
    await writeFile(record, JSON.stringify({ packages: installed }));
  }
  return areInstalled(folder.path, withDevelopment);
}

describe('areInstalled', () => {
  const { 'node_modules/ws': ws, 'node_modules/vitest': vitest } = locked;

  it('asks for what the purpose needs', async () => {
    expect(await check({ 'node_modules/ws': ws }, false)).toBe(true);
    expect(await check({ 'node_modules/ws': ws }, true)).toBe(false);
  });

  it('lets a development install serve a start', async () => {
    const both = { 'node_modules/ws': ws, 'node_modules/vitest': vitest };
    expect(await check(both, true)).toBe(true);
    expect(await check(both, false)).toBe(true);
  });

  it('sees an absent, interrupted or outdated install', async () => {
    expect(await check(undefined, false)).toBe(false);
    expect(await check({}, false)).toBe(false);
    expect(await check({ 'node_modules/ws': { ...ws, version: '7.0.0' } }, false)).toBe(false);
    expect(await check({ 'node_modules/ws': { ...ws, integrity: 'sha512-z' } }, false)).toBe(false);
  });
});
