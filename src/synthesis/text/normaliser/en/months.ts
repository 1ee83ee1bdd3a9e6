import { anyOf } from '../rule.ts';

const MONTHS: readonly string[] =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

const SHORT_MONTHS: readonly string[] =
  'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Sept'.split(' ');

/** A month's name, full or short, in a regular expression's source. */
export const MONTH = `(?:${anyOf(MONTHS)}|${anyOf(SHORT_MONTHS)}\\.?)`;
/** A short name, with the full stop that belongs to it. */
export const SHORT_MONTH = `${anyOf(SHORT_MONTHS)}\\.?`;

/** "Mar." → "March". */
export function fullMonth(short: string): string {
  return MONTHS.find((month) => month.startsWith(short.slice(0, 3))) ?? short;
}

/** 1 → "January"; undefined when there is no such month. */
export function monthName(number: number): string | undefined {
  return MONTHS[number - 1];
}
