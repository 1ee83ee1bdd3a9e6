import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { REAL_KEY, startRealServer } from '../support/real-server.ts';
import { temporaryDir } from '../support/temporary-dir.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const page = readFileSync(join(PROJECT, 'README.md'), 'utf8');
const bot = readFileSync(join(PROJECT, 'src/phone/BOTS.md'), 'utf8');
const openAi = readFileSync(join(PROJECT, 'src/api/OPENAI.md'), 'utf8');
let app: App;

beforeAll(async () => {
  app = await startRealServer({ SIDETONE_WORKERS: '1' });
});
afterAll(() => app.close());

/** The blocks of a language, as a reader would copy them. */
function blocksOf(text: string, language: string): string[] {
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'));
  return [...blocks].map(([, block = '']) => block);
}

function environment() {
  return {
    ...process.env,
    SIDETONE_URL: app.url,
    SIDETONE_API_KEY: REAL_KEY,
    VOICE_ID: app.defaultVoice.voiceId,
  };
}

/** A folder where the packages of the project are found. */
function workFolder(): string {
  const folder = temporaryDir();
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

it.each([
  ['the official SDK', '@elevenlabs/elevenlabs-js'],
  ['a plain websocket', "from 'ws'"],
])('%s speaks as the front page shows it', async (_what, mark) => {
  const code = blocksOf(page, 'js').find((block) => block.includes(mark)) ?? '';
  const folder = workFolder();
  writeFileSync(join(folder, 'example.mjs'), code);
  const { stdout } = await run(process.execPath, ['example.mjs'], {
    cwd: folder,
    env: environment(),
    encoding: 'buffer',
  });
  // A fifth of a second of mu-law at least, and not silence (0xff) alone.
  expect(stdout.length).toBeGreaterThan(1600);
  expect(new Set(stdout).size).toBeGreaterThan(50);
});

it('the commands of the front page make files that hold speech', async () => {
  const commands = blocksOf(page, 'sh').find((block) => block.includes('npx sidetone say')) ?? '';
  const folder = workFolder();
  // As `npx` finds it in a checkout.
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const cli = join(PROJECT, 'dist/tools/cli/main.js');
  const npx = `#!/bin/sh\nshift\nexec '${process.execPath}' '${cli}' "$@"\n`;
  writeFileSync(join(bin, 'npx'), npx, { mode: 0o755 });
  const script = commands.replace('--seconds 20', '--seconds 2');
  await run('sh', ['-ec', script], {
    cwd: folder,
    env: { ...environment(), PATH: `${bin}:${process.env['PATH']}` },
  });
  const files = ['hello.wav', 'hello.mp3', 'call/bot.wav'].map((name) =>
    readFileSync(join(folder, name)),
  );
  for (const file of files) expect(file.length).toBeGreaterThan(5000);
  // An mp3 frame begins with eleven bits that are set.
  const beginnings = files.map((file) => file.toString('latin1', 0, 2));
  expect(beginnings).toEqual(['RI', '\xff\xfb', 'RI']);
});

it('clients of OpenAI speak as their page shows them', async () => {
  const [code = ''] = blocksOf(openAi, 'js');
  const [commands = ''] = blocksOf(openAi, 'sh');
  const cwd = workFolder();
  writeFileSync(join(cwd, 'example.mjs'), code);
  const options = { cwd, env: environment() };
  await run(process.execPath, ['example.mjs'], options);
  const { stdout } = await run('sh', ['-ec', commands], options);
  const files = ['hello.mp3', 'hello.wav'].map((name) => readFileSync(join(cwd, name)));
  for (const file of files) expect(file.length).toBeGreaterThan(5000);
  expect(files.map((file) => file.toString('latin1', 0, 2))).toEqual(['\xff\xfb', 'RI']);
  expect(JSON.parse(stdout).voices[0]).toMatchObject({ id: 'alloy' });
});

it('the bot of the page about bots is a program that Node reads', async () => {
  const [code = ''] = blocksOf(bot, 'js');
  const file = join(temporaryDir(), 'bot.mjs');
  writeFileSync(file, code);
  await expect(run(process.execPath, ['--check', file])).resolves.toBeDefined();
});
