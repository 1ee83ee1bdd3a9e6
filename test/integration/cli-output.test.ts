import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../../dist/tools/cli/main.js', import.meta.url));

it('the command line ends quietly when nobody reads its output any more', async () => {
  const child = spawn(process.execPath, [MAIN, 'say', '--help']);
  child.stdout.destroy();
  const [complaints, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(complaints).toBe('');
  expect(exitCode).toBe(0);
});
