import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDir } from '../support/temporary-dir.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const CLI = 'dist/tools/cli/main.js';
const KEY = 'dev-tls-test-key';

function run(args: readonly string[], settings: Record<string, string>) {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: PROJECT,
    env: { PATH: process.env['PATH'] ?? '', SIDETONE_API_KEY: KEY, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data));
  return { child, printed: () => printed };
}

it('serves https and wss with a certificate of its own, which clients can trust', {
  timeout: 120_000,
}, async () => {
  const dataDir = temporaryDir();
  const server = run(['serve', '--dev-tls'], {
    PORT: '0',
    LOG_LEVEL: 'warn',
    SIDETONE_KOKORO: 'off',
    SIDETONE_DATA_DIR: dataDir,
  });
  onTestFinished(() => void server.child.kill('SIGKILL'));
  const address = /listens on (https:\/\/\S+)/;
  await expect.poll(server.printed, { timeout: 90_000 }).toMatch(address);
  const url = address.exec(server.printed())?.[1] ?? '';
  const [, cert = ''] = /NODE_EXTRA_CA_CERTS=(\S+)/.exec(server.printed()) ?? [];
  const output = join(dataDir, 'hello.wav');
  const settings = { SIDETONE_URL: url, NODE_EXTRA_CA_CERTS: cert };
  const say = run(['say', 'Hello.', '-o', output], settings);
  const [code] = await once(say.child, 'exit');
  expect([code, existsSync(output)], say.printed()).toEqual([0, true]);
  expect(readFileSync(output).length).toBeGreaterThan(8000);
  const distrusted = run(['voices'], { SIDETONE_URL: url });
  expect((await once(distrusted.child, 'exit'))[0]).toBe(3);
  server.child.kill('SIGTERM');
  expect((await once(server.child, 'exit'))[0]).toBe(0);
});
