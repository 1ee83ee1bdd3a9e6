import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is gone when the test is over. */
export function temporaryDir(): string {
  const path = mkdtempSync(join(tmpdir(), 'sidetone-test-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
