import type { Command } from 'commander';
import { callServer, type Server } from './server.ts';
import { formatTable } from './table.ts';
import type { Terminal } from './terminal.ts';

const PATH = '/v1/workspace/api-keys';

interface KeyRecord {
  readonly api_key_id: string;
  readonly name: string;
  readonly last_four: string;
  readonly created_at_unix: number;
}

export function addKeysCommand(
  program: Command,
  terminal: Terminal,
  serverOf: (command: Command) => Server,
): void {
  const keys = program.command('keys').description('Make, list and revoke API keys.');
  keys
    .command('create')
    .description('Make a key. Its secret is printed on stdout, this once.')
    .option('--name <name>', 'what to call it', 'made by sidetone keys create')
    .addHelpText('after', '\nExample:\n  sidetone keys create --name "support line bot"')
    .action(async ({ name }: { name: string }, command: Command) => {
      const request = { method: 'POST', body: { name } } as const;
      const made = (await callServer(serverOf(command), PATH, request)) as KeyRecord & {
        api_key: string;
      };
      terminal.stdout.write(`${made.api_key}\n`);
      terminal.stderr.write(`Keep it: it is not shown again. Its id is ${made.api_key_id}.\n`);
    });
  keys
    .command('list')
    .description('List the keys, without their secrets.')
    .action(async (_options: object, command: Command) => {
      const { api_keys } = (await callServer(serverOf(command), PATH)) as {
        api_keys: readonly KeyRecord[];
      };
      terminal.stdout.write(keyTable(api_keys));
    });
  keys
    .command('revoke')
    .description('Make a key invalid at once.')
    .argument('<id>', 'from "sidetone keys list"')
    .action(async (id: string, _options: object, command: Command) => {
      await callServer(serverOf(command), `${PATH}/${encodeURIComponent(id)}`, {
        method: 'DELETE',
      });
      terminal.stderr.write(`Revoked ${id}.\n`);
    });
}

function keyTable(keys: readonly KeyRecord[]): string {
  const rows = keys.map(({ api_key_id, name, last_four, created_at_unix }) => [
    api_key_id,
    name,
    `…${last_four}`,
    new Date(created_at_unix * 1000).toISOString().slice(0, 10),
  ]);
  return formatTable([['ID', 'NAME', 'ENDS IN', 'CREATED'], ...rows]);
}
