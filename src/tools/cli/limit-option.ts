import { InvalidArgumentError, Option } from 'commander';

/** What takes a limit away. */
const NONE = 'none';

/** What such an option was given. */
export type LimitWish = number | typeof NONE;

/** An option whose value is a whole number, or "none". Null is no value: Commander makes an empty text of it. */
export function limitOption(flags: string, description: string): Option {
  return new Option(flags, `${description}; "${NONE}" for no limit`).argParser(
    (text: string): LimitWish => {
      if (text === NONE) return NONE;
      if (/^\d{1,15}$/.test(text)) return Number(text);
      throw new InvalidArgumentError(`It must be a whole number, or "${NONE}".`);
    },
  );
}

/** The limit as requests carry it. */
export function limitOf(wish: LimitWish): number | null {
  return wish === NONE ? null : wish;
}

/** How a limit reads in a table. */
export function limitText(limit: number | null): string {
  return limit === null ? NONE : limit.toLocaleString('en');
}
