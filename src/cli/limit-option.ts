import { InvalidArgumentError, Option } from 'commander';

/** What takes a limit away. */
const NONE = 'none';

/** An option whose value is a whole number, or "none", which is null. */
export function limitOption(flags: string, description: string): Option {
  return new Option(flags, `${description}; "${NONE}" for no limit`).argParser(
    (text: string): number | null => {
      if (text === NONE) return null;
      if (/^\d{1,15}$/.test(text)) return Number(text);
      throw new InvalidArgumentError(`It must be a whole number, or "${NONE}".`);
    },
  );
}

/** How a limit reads in a table. */
export function limitText(limit: number | null): string {
  return limit === null ? NONE : limit.toLocaleString('en');
}
