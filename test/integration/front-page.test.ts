import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { startRealServer } from '../support/real-server.ts';
import {
  blocksOf,
  expectMulawSpeech,
  PROJECT,
  readersEnvironment,
  readPage,
  run,
  runJavaScript,
  workFolder,
} from '../support/snippets.ts';
import { temporaryDir } from '../support/temporary-dir.ts';

const page = readPage('README.md');
const bot = readPage('src/phone/BOTS.md');
const dialogue = readPage('src/api/DIALOGUE.md');
const openAi = readPage('src/api/OPENAI.md');
let app: App;

beforeAll(async () => {
  app = await startRealServer({ SIDETONE_WORKERS: '1' });
});
afterAll(() => app.close());

it.each([
  ['the official SDK', '@elevenlabs/elevenlabs-js'],
  ['a plain websocket', "from 'ws'"],
])('%s speaks as the front page shows it', async (_what, mark) => {
  const code = blocksOf(page, 'js').find((block) => block.includes(mark)) ?? '';
  expectMulawSpeech(await runJavaScript(code, app));
});

it('the commands of the front page make files that hold speech', async () => {
  const commands = blocksOf(page, 'sh').find((block) => block.includes('sidetone say')) ?? '';
  const [alias = ''] = /^alias sidetone=.*$/m.exec(page) ?? [];
  const folder = workFolder();
  // The alias is made in the project's folder, and holds in any other.
  const script = ['cd "$PROJECT"', alias, 'cd "$FOLDER"', commands].join('\n');
  await run('sh', ['-ec', script.replace('--seconds 20', '--seconds 2')], {
    env: { ...readersEnvironment(app), PROJECT, FOLDER: folder },
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
  const options = { cwd, env: readersEnvironment(app) };
  await run(process.execPath, ['example.mjs'], options);
  const { stdout } = await run('sh', ['-ec', commands], options);
  const files = ['hello.mp3', 'hello.wav'].map((name) => readFileSync(join(cwd, name)));
  for (const file of files) expect(file.length).toBeGreaterThan(5000);
  expect(files.map((file) => file.toString('latin1', 0, 2))).toEqual(['\xff\xfb', 'RI']);
  expect(JSON.parse(stdout).voices[0]).toMatchObject({ id: 'alloy' });
});

it.each(blocksOf(dialogue, 'js'))('a dialogue is spoken as its page shows it: %#', async (code) => {
  expectMulawSpeech(await runJavaScript(code, app));
});

it('the bot of the page about bots is a program that Node reads', async () => {
  const [code = ''] = blocksOf(bot, 'js');
  const file = join(temporaryDir(), 'bot.mjs');
  writeFileSync(file, code);
  await expect(run(process.execPath, ['--check', file])).resolves.toBeDefined();
});
