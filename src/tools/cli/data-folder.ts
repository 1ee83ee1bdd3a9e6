import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { CliError } from './cli-error.ts';
import type { Terminal } from './terminal.ts';

/** Where the server keeps its state unless told otherwise. */
export const DEFAULT_DATA_DIR = fileURLToPath(new URL('../../../.sidetone', import.meta.url));

/** Adds the option that names the server's data folder. */
export function withDataFolder(command: Command): Command {
  return command.option(
    '--data-dir <folder>',
    "the server's data folder (default: SIDETONE_DATA_DIR, or .sidetone in the project folder)",
  );
}

/**
 * The folder that the server keeps its state in.
 * @throws CliError when the state is in PostgreSQL, which has tools of its own.
 */
export function dataFolderOf(options: { dataDir?: string }, { environment }: Terminal): string {
  if (environment['SIDETONE_DATABASE_URL']) {
    throw new CliError(
      'The database is PostgreSQL (SIDETONE_DATABASE_URL is set). Use pg_dump and pg_restore, first the database, then the folder "blobs" in the data folder or the bucket, and the file "server-secret" in the data folder.',
      'usage',
    );
  }
  return options.dataDir ?? (environment['SIDETONE_DATA_DIR'] || DEFAULT_DATA_DIR);
}
