import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerProcess } from '../latency/server-process.ts';
import { LINE } from './bench-call.ts';

/** More than there are calls in any bench: what is measured is not how calls are refused. */
const MAX_STREAMS = '32';

/**
 * Runs something with a server that has a line for bots which attach by themselves.
 *
 * @param settings of the server; more streams than any bench has, unless given.
 */
export async function withPhoneServer<T>(
  run: (server: ServerProcess) => Promise<T>,
  settings: Readonly<Record<string, string>> = { SIDETONE_MAX_STREAMS: MAX_STREAMS },
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sidetone-bench-lines-'));
  const file = join(folder, 'lines.yaml');
  writeFileSync(file, `lines:\n  - id: ${LINE}\n    bot:\n      attach:\n        wait_s: 60\n`);
  const server = await ServerProcess.start({
    SIDETONE_LINES: file,
    ...settings,
  });
  try {
    return await run(server);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
