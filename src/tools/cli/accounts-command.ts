import { type Command, Option } from 'commander';
import { TIERS } from '../../domain/account.ts';
import { type LimitWish, limitOf, limitOption, limitText } from './limit-option.ts';
import { callServer, type ServerAccess } from './server.ts';
import { formatTable } from './table.ts';
import type { Terminal } from './terminal.ts';

const PATH = '/v1/workspace/accounts';

interface AccountRecord {
  readonly account_id: string;
  readonly name: string;
  readonly tier: string;
  readonly character_limit: number | null;
  readonly concurrency_limit: number | null;
}

interface AccountOptions {
  readonly id?: string;
  readonly name?: string;
  readonly tier?: string;
  readonly characters?: LimitWish;
  readonly concurrency?: LimitWish;
}

export function addAccountsCommand(
  program: Command,
  terminal: Terminal,
  serverOf: (command: Command) => ServerAccess,
): void {
  const accounts = program
    .command('accounts')
    .description('Make, list and change accounts: who may speak how much.');
  accounts
    .command('list')
    .description('List the accounts and their limits.')
    .action(async (_options: object, command: Command) => {
      const { accounts } = (await callServer(serverOf(command), PATH)) as {
        accounts: readonly AccountRecord[];
      };
      terminal.stdout.write(accountTable(accounts));
    });
  addAccountOptions(accounts.command('create'), 'free')
    .description('Make an account. Then make it a key: sidetone keys create --account <id>.')
    .requiredOption('--name <name>', 'what to call it')
    .option('--id <id>', 'its id; made up without this')
    .addHelpText(
      'after',
      '\nExample:\n  sidetone accounts create --name "Acme" --id acme --tier creator --characters 250000',
    )
    .action(async (options: AccountOptions, command: Command) => {
      const body = { ...accountFields(options), ...(options.id && { account_id: options.id }) };
      const made = await callServer(serverOf(command), PATH, { method: 'POST', body });
      terminal.stdout.write(accountTable([made as AccountRecord]));
    });
  addAccountOptions(accounts.command('change'))
    .description('Change what is given. A new tier brings its limits along.')
    .argument('<id>', 'from "sidetone accounts list"')
    .option('--name <name>', 'what to call it')
    .action(async (id: string, options: AccountOptions, command: Command) => {
      const changed = await callServer(serverOf(command), `${PATH}/${encodeURIComponent(id)}`, {
        method: 'PATCH',
        body: accountFields(options),
      });
      terminal.stdout.write(accountTable([changed as AccountRecord]));
    });
}

function addAccountOptions(command: Command, defaultTier?: string): Command {
  return command
    .addOption(new Option('--tier <tier>', 'its tier').choices(TIERS).default(defaultTier))
    .addOption(limitOption('--characters <number>', 'characters a month'))
    .addOption(limitOption('--concurrency <number>', 'requests at once'));
}

function accountFields({ name, tier, characters, concurrency }: AccountOptions): object {
  return {
    ...(name !== undefined && { name }),
    ...(tier !== undefined && { tier }),
    ...(characters !== undefined && { character_limit: limitOf(characters) }),
    ...(concurrency !== undefined && { concurrency_limit: limitOf(concurrency) }),
  };
}

function accountTable(accounts: readonly AccountRecord[]): string {
  const rows = accounts.map(({ account_id, name, tier, character_limit, concurrency_limit }) => [
    account_id,
    name,
    tier,
    limitText(character_limit),
    limitText(concurrency_limit),
  ]);
  return formatTable([['ID', 'NAME', 'TIER', 'CHARACTERS A MONTH', 'AT ONCE'], ...rows]);
}
