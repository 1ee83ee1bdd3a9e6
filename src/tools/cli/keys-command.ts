import type { Command } from 'commander';
import { addKeyOptions, type KeyOptions, limitFields } from './key-options.ts';
import { limitText } from './limit-option.ts';
import { callServer, type ServerAccess } from './server.ts';
import { formatTable } from './table.ts';
import type { Terminal } from './terminal.ts';

const PATH = '/v1/workspace/api-keys';

interface KeyRecord {
  readonly api_key_id: string;
  readonly name: string;
  readonly last_four: string;
  readonly created_at_unix: number;
  readonly scopes: readonly string[] | null;
  readonly character_limit: number | null;
  readonly character_count: number;
  readonly allowed_ips: readonly string[] | null;
}

type NewKey = KeyRecord & { readonly api_key: string };

interface CommonOptions {
  /** Whose keys; the caller's own account without it. */
  readonly account?: string;
}

export function addKeysCommand(
  program: Command,
  terminal: Terminal,
  serverOf: (command: Command) => ServerAccess,
): void {
  const keys = program.command('keys').description('Make, list, change and revoke API keys.');
  const subcommand = (name: string, description: string) =>
    keys
      .command(name)
      .description(description)
      .option('--account <id>', 'of another account (keys of the default one only)');
  addMakingCommands(subcommand, terminal, serverOf);
  subcommand('list', 'List the keys, without their secrets.').action(
    async ({ account }: CommonOptions, command: Command) => {
      const { api_keys } = (await callServer(serverOf(command), pathOf('', account))) as {
        api_keys: readonly KeyRecord[];
      };
      terminal.stdout.write(keyTable(api_keys));
    },
  );
  addKeyOptions(subcommand('change', 'Change what is given of a key.'))
    .argument('<id>', 'from "sidetone keys list"')
    .option('--name <name>', 'what to call it')
    .action(
      async (
        id: string,
        { account, name, ...limits }: CommonOptions & KeyOptions & { name?: string },
        command: Command,
      ) => {
        const changed = await callServer(serverOf(command), pathOf(`/${escaped(id)}`, account), {
          method: 'PATCH',
          body: { ...(name !== undefined && { name }), ...limitFields(limits) },
        });
        terminal.stdout.write(keyTable([changed as KeyRecord]));
      },
    );
  subcommand('revoke', 'Make a key invalid at once.')
    .argument('<id>', 'from "sidetone keys list"')
    .action(async (id: string, { account }: CommonOptions, command: Command) => {
      const path = pathOf(`/${escaped(id)}`, account);
      await callServer(serverOf(command), path, { method: 'DELETE' });
      terminal.stderr.write(`Revoked ${id}.\n`);
    });
}

/** Those that print a secret: it alone is on stdout, so that a script can take it from there. */
function addMakingCommands(
  subcommand: (name: string, description: string) => Command,
  terminal: Terminal,
  serverOf: (command: Command) => ServerAccess,
): void {
  const show = ({ api_key, api_key_id }: NewKey) => {
    terminal.stdout.write(`${api_key}\n`);
    terminal.stderr.write(`Keep it: it is not shown again. Its id is ${api_key_id}.\n`);
  };
  addKeyOptions(subcommand('create', 'Make a key. Its secret is printed on stdout, this once.'))
    .option('--name <name>', 'what to call it', 'made by sidetone keys create')
    .addHelpText(
      'after',
      '\nExamples:\n  sidetone keys create --name "support line bot"\n  sidetone keys create --scope text_to_speech voices_read --characters 50000 --allow 10.0.0.0/8',
    )
    .action(
      async (
        { account, name, ...limits }: CommonOptions & KeyOptions & { name: string },
        command: Command,
      ) => {
        const request = { method: 'POST', body: { name, ...limitFields(limits) } } as const;
        show((await callServer(serverOf(command), pathOf('', account), request)) as NewKey);
      },
    );
  subcommand('rotate', 'Give a key a new secret; the old one is invalid at once.')
    .argument('<id>', 'from "sidetone keys list"')
    .action(async (id: string, { account }: CommonOptions, command: Command) => {
      const path = pathOf(`/${escaped(id)}/rotate`, account);
      show((await callServer(serverOf(command), path, { method: 'POST' })) as NewKey);
    });
}

function pathOf(rest: string, account: string | undefined): string {
  return `${PATH}${rest}${account === undefined ? '' : `?account_id=${escaped(account)}`}`;
}

const escaped = encodeURIComponent;

function keyTable(keys: readonly KeyRecord[]): string {
  const rows = keys.map((key) => [
    key.api_key_id,
    key.name,
    `…${key.last_four}`,
    new Date(key.created_at_unix * 1000).toISOString().slice(0, 10),
    key.character_count.toLocaleString('en'),
    limitText(key.character_limit),
    key.scopes?.join(' ') ?? 'all',
    key.allowed_ips?.join(' ') ?? 'any',
  ]);
  const head = ['ID', 'NAME', 'ENDS IN', 'CREATED', 'USED', 'LIMIT', 'SCOPES', 'ADDRESSES'];
  return formatTable([head, ...rows]);
}
