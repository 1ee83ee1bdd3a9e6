import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { describe, expect, it } from 'vitest';
import { temporaryDir } from '../support/temporary-dir.ts';
import { FORBIDDEN } from './dependency-cruiser.config.mjs';
import { IMPORT_TABLE, ROOT_FILES } from './import-table.mjs';

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

  it('stand in folders that have a row, and every row has a folder', () => {
    const entries = readdirSync(join(projectDir, 'src'), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    expect(folders.sort()).toEqual(IMPORT_TABLE.map((row) => row.folder).sort());
    const files = entries.map((entry) => entry.name).filter((name) => name.endsWith('.ts'));
    expect(files.sort()).toEqual(Object.keys(ROOT_FILES).sort());
  });
});

/** Files that break one rule each, with the imports that do so. */
const PLANTED: Record<string, string> = {
  'domain/rule.ts': "import '../text/chunk.ts';",
  'text/chunk.ts': "import type { Socket } from 'node:net';\nexport type Chunk = Socket;",
  'speech/context.ts': "import '../engine/pool.ts';\nimport '../engine/engine.ts';",
  'engine/pool.ts': "import './engine.ts';",
  'engine/engine.ts': "import type { Pool } from './pool.ts';\nexport type Engine = Pool;",
  'audio/lonely.ts': 'export const nobody = 1;',
  'audio/lost.ts': "import './missing.ts';",
  'socket/outbox.ts': "import 'fastify';",
  'socket/dialect.ts': "import '../app.ts';",
  'app.ts': "import './config.ts';",
  'config.ts': "import './domain/rule.ts';",
  'speech/session.ts': "import '../config.ts';",
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
        'domain-project: src/domain/rule.ts → src/text/chunk.ts',
        'text-pure: src/text/chunk.ts → net',
        'speech-project: src/speech/context.ts → src/engine/pool.ts',
        'no-cycle: src/engine/engine.ts → src/engine/pool.ts',
        'no-orphan: src/audio/lonely.ts → src/audio/lonely.ts',
        'no-unresolved: src/audio/lost.ts → ./missing.ts',
        'socket-packages: src/socket/outbox.ts → node_modules/fastify/index.js',
        'no-undeclared-package: src/socket/outbox.ts → node_modules/fastify/index.js',
        'app-is-for-main: src/socket/dialect.ts → src/app.ts',
        'config-imports-nothing: src/config.ts → src/domain/rule.ts',
        'settings-come-from-above: src/speech/session.ts → src/config.ts',
      ]),
    );
  }, 60_000);
});
