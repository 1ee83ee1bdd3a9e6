import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const projectDir = resolve(import.meta.dirname, '../..');
const TOP_LEVEL = [
  'Dockerfile',
  'LICENSE',
  'README.md',
  'bench',
  'docker-compose.yml',
  'models',
  'package-lock.json',
  'package.json',
  'src',
  'test',
  'tsconfig.json',
];
const MAX_LINES = 300;
const MAX_MEDIAN_LINES = 100;

/** Every file that is tracked, or would be by `git add --all`. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: projectDir,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(resolve(projectDir, file)));
const sources = files.filter((file) => /^src\/.*\.ts$/.test(file));

function lineCount(file: string): number {
  return readFileSync(resolve(projectDir, file), 'utf8').trimEnd().split('\n').length;
}

const EXPORT =
  /^export (?:async )?(?:abstract )?(?:class|function\*?|interface|type|const) +(\w+)/gm;

/** The names that a source file declares and exports; once for a type and a value of one name. */
function exportedNames(file: string): string[] {
  const text = readFileSync(resolve(projectDir, file), 'utf8');
  return [...new Set([...text.matchAll(EXPORT)].map(([, name = '']) => name))];
}

describe('the top level', () => {
  it('holds exactly what a newcomer expects, and files whose name starts with a dot', () => {
    const top = new Set(files.map((file) => file.split('/', 1)[0] ?? ''));
    expect([...top].filter((name) => !name.startsWith('.')).sort()).toEqual(TOP_LEVEL);
  });
});

describe('source files', () => {
  it('can be read in one sitting', () => {
    const counts = sources.map((file) => ({ file, lines: lineCount(file) }));
    expect(counts.filter(({ lines }) => lines > MAX_LINES)).toEqual([]);
    const sorted = counts.map(({ lines }) => lines).sort((one, other) => one - other);
    expect(sorted.length).toBeGreaterThan(50);
    expect(sorted[sorted.length >> 1]).toBeLessThan(MAX_MEDIAN_LINES);
  });

  it('are named after what they hold: no barrels, no grab bags', () => {
    const banned = /^(index|utils?|helpers?|common|misc|types|constants)\.ts$/;
    expect(sources.filter((file) => banned.test(basename(file)))).toEqual([]);
    const grabBags = /(manager|helper|util)s?\.ts$/;
    expect(sources.filter((file) => grabBags.test(file))).toEqual([]);
  });

  it('do not export a name that another file exports', () => {
    const owners = new Map<string, string[]>();
    for (const file of sources) {
      for (const name of exportedNames(file)) {
        owners.set(name, [...(owners.get(name) ?? []), file]);
      }
    }
    expect(owners.size).toBeGreaterThan(500);
    const shared = [...owners].filter(([, places]) => places.length > 1);
    expect(shared).toEqual([]);
  });
});
