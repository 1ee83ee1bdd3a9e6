import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { App } from '../../src/app.ts';
import { REAL_KEY } from './real-server.ts';
import { temporaryDir } from './temporary-dir.ts';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
export const run = promisify(execFile);

export function readPage(path: string): string {
  return readFileSync(join(PROJECT, path), 'utf8');
}

/** The blocks of a language, as a reader would copy them. */
export function blocksOf(text: string, language: string): string[] {
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'));
  return [...blocks].map(([, block = '']) => block);
}

/** What the pages have their readers export. */
export function readersEnvironment(app: App) {
  return {
    ...process.env,
    SIDETONE_URL: app.url,
    SIDETONE_API_KEY: REAL_KEY,
    VOICE_ID: app.defaultVoice.voiceId,
  };
}

/** A folder where the packages of the project are found. */
export function workFolder(): string {
  const folder = temporaryDir();
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Whether bytes are a fifth of a second of mu-law at least, and not silence (0xff) alone. */
export function expectMulawSpeech(bytes: Buffer): void {
  expect(bytes.length).toBeGreaterThan(1600);
  expect(new Set(bytes).size).toBeGreaterThan(50);
}

/** Runs a block of JavaScript against a server. @returns what it writes to stdout. */
export async function runJavaScript(code: string, app: App): Promise<Buffer> {
  const folder = workFolder();
  writeFileSync(join(folder, 'example.mjs'), code);
  const { stdout } = await run(process.execPath, ['example.mjs'], {
    cwd: folder,
    env: readersEnvironment(app),
    encoding: 'buffer',
  });
  return stdout;
}
