import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addAccountsCommand } from './accounts-command.ts';
import { addBackupCommand } from './backup-command.ts';
import { addCallCommand } from './call-command.ts';
import { CliError, EXIT_CODES } from './cli-error.ts';
import { addKeysCommand } from './keys-command.ts';
import { addRestoreCommand } from './restore-command.ts';
import { addSayCommand } from './say-command.ts';
import { addServeCommand } from './serve-command.ts';
import type { ServerAccess } from './server.ts';
import type { Terminal } from './terminal.ts';
import { addVoicesCommand } from './voices-command.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';

/**
 * Runs one command line.
 * @param args without the program's own name.
 * @returns the exit code; what went wrong is a line on stderr.
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await buildProgram(terminal).parseAsync(args, { from: 'user' });
    return 0;
  } catch (thrown) {
    // Commander has printed its own complaint; asking for help is none.
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : EXIT_CODES.usage;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    terminal.stderr.write(`sidetone: ${message}\n`);
    return thrown instanceof CliError ? thrown.exitCode : EXIT_CODES.failed;
  }
}

function buildProgram(terminal: Terminal): Command {
  const { environment, stdout, stderr } = terminal;
  const program = new Command('sidetone')
    .description('Runs a Sidetone server, and talks to one.')
    .version(version())
    .option('--url <url>', `where the server is (default: SIDETONE_URL or ${DEFAULT_URL})`)
    .option('--key <key>', 'API key (default: SIDETONE_API_KEY)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
    })
    .showHelpAfterError('(--help tells more)')
    .exitOverride()
    .addHelpText('after', '\nExit codes: 1 refused or failed, 2 wrong usage, 3 no server answers.');
  const serverOf = (command: Command): ServerAccess => {
    const { url, key } = command.optsWithGlobals<{ url?: string; key?: string }>();
    return {
      url: serverUrl(url ?? (environment['SIDETONE_URL'] || DEFAULT_URL)),
      key: key ?? (environment['SIDETONE_API_KEY'] || undefined),
    };
  };
  addSayCommand(program, terminal, serverOf);
  addCallCommand(program, terminal);
  addVoicesCommand(program, terminal, serverOf);
  addKeysCommand(program, terminal, serverOf);
  addAccountsCommand(program, terminal, serverOf);
  addServeCommand(program, terminal);
  addBackupCommand(program, terminal);
  addRestoreCommand(program, terminal);
  return program;
}

function serverUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return given.replace(/\/+$/, '');
  throw new CliError(`"${given}" is not the address of a server, such as ${DEFAULT_URL}.`, 'usage');
}

function version(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
