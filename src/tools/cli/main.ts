#!/usr/bin/env node
import { refuseOldNode } from '../../node-version.ts';

refuseOldNode();
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  // Who reads has read enough, as `head` has.
  process.exit();
});
runFromShell().catch(({ message }: Error) => {
  process.stderr.write(`sidetone: ${message}\n`);
  process.exitCode = 1;
});

/** Loads the rest only now: it is written for the Node that was just asked for. */
async function runFromShell(): Promise<void> {
  const { withEnvironmentFile } = await import('../../environment.ts');
  const { runCli } = await import('./program.ts');
  process.exitCode = await runCli(process.argv.slice(2), {
    environment: withEnvironmentFile(process.env, process.cwd()),
    stdout: process.stdout,
    stderr: process.stderr,
  });
}
