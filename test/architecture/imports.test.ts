import { type Dirent, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { describe, expect, it } from 'vitest';
import { temporaryDir } from '../support/temporary-dir.ts';
import { FORBIDDEN } from './dependency-cruiser.config.mjs';
import { ROOMS, ROOT_FILES, WINGS } from './import-table.mjs';

const projectDir = resolve(import.meta.dirname, '../..');

async function cruiseSources(baseDir: string): Promise<ICruiseResult> {
  const { output } = await cruise(
    ['src'],
    {
      baseDir,
      validate: true,
      ruleSet: { forbidden: FORBIDDEN },
      // Types count: a type-only import ties two folders together all the same.
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
    },
    { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types', 'default'] },
  );
  return output as ICruiseResult;
}

function violations({ summary }: ICruiseResult): string[] {
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
}

function sourceFiles(): string[] {
  return readdirSync(join(projectDir, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file}`);
}

describe('the sources', () => {
  it('import only what the table allows', async () => {
    const result = await cruiseSources(projectDir);
    expect(violations(result)).toEqual([]);
    // A parser that cannot read TypeScript finds no violations either.
    const parsed = result.modules.map((module) => module.source);
    expect(parsed).toEqual(expect.arrayContaining(sourceFiles()));
    const importing = result.modules.filter((module) => module.dependencies.length > 0);
    expect(importing.length).toBeGreaterThan(sourceFiles().length / 2);
  }, 60_000);

  it('stand in wings and rooms that have a row, and every row has a folder', () => {
    const entries = readdirSync(join(projectDir, 'src'), { withFileTypes: true });
    const wings = folderNames(entries);
    expect(wings.sort()).toEqual(WINGS.map((row) => row.wing).sort());
    expect(wings.flatMap(roomsOf).sort()).toEqual(ROOMS.map((row) => row.room).sort());
    const files = entries.map((entry) => entry.name).filter((name) => name.endsWith('.ts'));
    expect(files.sort()).toEqual(Object.keys(ROOT_FILES).sort());
  });
});

function folderNames(entries: readonly Dirent[]): string[] {
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

/** A wing that has sources of its own is a room; its folders are parts of it. */
function roomsOf(wing: string): string[] {
  const entries = readdirSync(join(projectDir, 'src', wing), { withFileTypes: true });
  if (entries.some((entry) => entry.name.endsWith('.ts'))) return [wing];
  return folderNames(entries).map((name) => `${wing}/${name}`);
}

/** Files that break one rule each, with the imports that do so. */
const PLANTED: Record<string, string> = {
  'domain/rule.ts': "import '../synthesis/text/chunk.ts';",
  'synthesis/text/chunk.ts': "import type { Socket } from 'node:net';\nexport type Chunk = Socket;",
  'synthesis/speech/context.ts': "import '../engine/pool.ts';\nimport '../engine/engine.ts';",
  'synthesis/engine/pool.ts': "import './engine.ts';",
  'synthesis/engine/engine.ts':
    "import type { Pool } from './pool.ts';\nexport type Engine = Pool;",
  'synthesis/audio/lonely.ts': 'export const nobody = 1;',
  'synthesis/audio/lost.ts': "import './missing.ts';",
  'api/websocket/send-queue.ts': "import 'fastify';",
  'api/websocket/dialect.ts': "import '../../app.ts';",
  'app.ts': "import './config.ts';",
  'config.ts': "import './domain/rule.ts';",
  'synthesis/speech/session.ts':
    "import '../../config.ts';\nimport '../../service/account/quota.ts';",
  'service/account/quota.ts': 'export const quota = 1;',
};

describe('the rules', () => {
  it('catch what they are for', async () => {
    const baseDir = temporaryDir();
    const files = Object.entries(PLANTED).map(([file, text]) => [join('src', file), text] as const);
    const fastify = ['node_modules/fastify/index.js', ''] as const;
    for (const [file, text] of [...files, fastify]) {
      const path = join(baseDir, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    writeFileSync(join(baseDir, 'package.json'), '{}');
    expect(violations(await cruiseSources(baseDir))).toEqual(
      expect.arrayContaining([
        'domain-project: src/domain/rule.ts → src/synthesis/text/chunk.ts',
        'synthesis/text-pure: src/synthesis/text/chunk.ts → net',
        'synthesis/speech-project: src/synthesis/speech/context.ts → src/synthesis/engine/pool.ts',
        'synthesis-wing: src/synthesis/speech/session.ts → src/service/account/quota.ts',
        'no-cycle: src/synthesis/engine/engine.ts → src/synthesis/engine/pool.ts',
        'no-orphan: src/synthesis/audio/lonely.ts → src/synthesis/audio/lonely.ts',
        'no-unresolved: src/synthesis/audio/lost.ts → ./missing.ts',
        'api/websocket-packages: src/api/websocket/send-queue.ts → node_modules/fastify/index.js',
        'no-undeclared-package: src/api/websocket/send-queue.ts → node_modules/fastify/index.js',
        'app-is-for-main: src/api/websocket/dialect.ts → src/app.ts',
        'config-imports-settings: src/config.ts → src/domain/rule.ts',
        'settings-come-from-above: src/synthesis/speech/session.ts → src/config.ts',
      ]),
    );
  }, 60_000);
});
