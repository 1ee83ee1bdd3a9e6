import { type Command, Option } from 'commander';
import { SCOPES } from '../../domain/account.ts';
import { type LimitWish, limitOf, limitOption } from './limit-option.ts';

/** What the limits of a key are called on the command line; a key has none that is not given. */
export interface KeyOptions {
  readonly scope?: readonly string[];
  readonly characters?: LimitWish;
  readonly allow?: readonly string[];
}

export function addKeyOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--scope <scope...>', 'what it may do, any number of; or "all"').choices([
        'all',
        ...SCOPES,
      ]),
    )
    .addOption(limitOption('--characters <number>', 'characters a month that it may spend'))
    .option('--allow <address...>', 'IP addresses or CIDR ranges it may be used from; or "any"');
}

/** The part of a request's body that says what was asked for, and no more. */
export function limitFields({ scope, characters, allow }: KeyOptions): object {
  return {
    ...(scope && { scopes: scope.includes('all') ? null : scope }),
    ...(characters !== undefined && { character_limit: limitOf(characters) }),
    ...(allow && { allowed_ips: allow.includes('any') ? null : allow }),
  };
}
