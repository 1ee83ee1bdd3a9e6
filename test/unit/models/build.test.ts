import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { build } from '../../../models/setup/build.mjs';
import { temporaryFolder } from './temporary-folder.ts';

const projectFolder = path.resolve(import.meta.dirname, '../../..');

/** A project with the real compiler and settings, and two sources of its own. */
async function smallProject() {
  const folder = await temporaryFolder();
  await symlink(path.join(projectFolder, 'node_modules'), path.join(folder.path, 'node_modules'));
  await mkdir(path.join(folder.path, 'src/tools/cli'), { recursive: true });
  for (const file of ['tsconfig.json', 'src/tsconfig.json', 'package-lock.json']) {
    await writeFile(path.join(folder.path, file), await readFile(path.join(projectFolder, file)));
  }
  await writeFile(path.join(folder.path, 'package.json'), '{"type":"module"}');
  await writeFile(
    path.join(folder.path, 'src/tools/cli/main.ts'),
    "import '../../other.ts';\nexport const a: number = 1;\n",
  );
  await writeFile(path.join(folder.path, 'src/other.ts'), 'export const b = 2;\n');
  return folder;
}

describe('build', () => {
  it('compiles once, follows changes and removes what has no source any more', async () => {
    await using folder = await smallProject();
    const output = (file: string) => path.join(folder.path, 'dist', file);
    await Promise.all([build(folder.path), build(folder.path)]);
    expect(await readFile(output('tools/cli/main.js'), 'utf8')).toContain('../../other.js');
    expect((await stat(output('tools/cli/main.js'))).mode & 0o111).toBe(0o111);
    const map = JSON.parse(await readFile(output('tools/cli/main.js.map'), 'utf8'));
    expect(map.sources).toEqual(['../../../src/tools/cli/main.ts']);

    const first = await stat(output('other.js'));
    await build(folder.path);
    expect((await stat(output('other.js'))).ino).toBe(first.ino);

    await writeFile(path.join(folder.path, 'src/tools/cli/main.ts'), 'export const a = 3;\n');
    await rm(path.join(folder.path, 'src/other.ts'));
    await build(folder.path);
    expect(await readFile(output('tools/cli/main.js'), 'utf8')).toContain('a = 3');
    expect((await readdir(path.join(folder.path, 'dist'))).sort()).toEqual(['.stamp', 'tools']);
  });

  it('shows the compiler its due when the source is broken, and keeps the last good build', async () => {
    await using folder = await smallProject();
    await build(folder.path);
    await writeFile(path.join(folder.path, 'src/other.ts'), 'export const = ;\n');
    await expect(build(folder.path)).rejects.toThrow(/does not compile:\n.*other\.ts/);
    expect(await readFile(path.join(folder.path, 'dist/other.js'), 'utf8')).toContain('b = 2');
  });
});
