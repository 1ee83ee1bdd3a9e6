import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const script = path.resolve(import.meta.dirname, '../../../models/setup.mjs');

function run(words: readonly string[], environment: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  return { status, stdout, stderr };
}

describe('models/setup.mjs', () => {
  it.each([[[]], [['help']], [['fetch']]])('explains itself when called with %j', (words) => {
    const { status, stderr } = run(words);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Usage: node models\/setup\.mjs <command>/);
  });

  it('names where to look for an unknown voice', () => {
    const { status, stderr } = run(['fetch', 'xx_XX-nobody-medium']);
    expect(status).toBe(1);
    expect(stderr).toBe(
      'No voice "xx_XX-nobody-medium" in models/manifest.json; see: node models/setup.mjs list\n',
    );
  });

  it('refuses a setting it does not understand, naming it', () => {
    const { status, stderr } = run(['fetch', 'de_DE-thorsten-medium'], {
      SIDETONE_FETCH_FROM: 'floppy',
    });
    expect(status).toBe(1);
    expect(stderr).toContain('SIDETONE_FETCH_FROM is "floppy"; it takes "registry" or "hub".');
  });

  it('lists every voice that speaks', () => {
    const { status, stdout } = run(['list']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/en_US-libritts_r-medium +en-US +904 × 22050 Hz +CC BY 4\.0/);
    expect(stdout).not.toContain('moonshine');
  });
});
