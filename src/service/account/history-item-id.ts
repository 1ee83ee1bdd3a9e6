import { randomInt } from 'node:crypto';

const RADIX = 36;
/** Milliseconds since 1970 fit until the year 5188. */
const TIME_DIGITS = 9;
const RANDOM_DIGITS = 11;
/** `randomInt` draws from fewer than 2⁴⁸ numbers, so the digits are drawn in two groups. */
const RANDOM_GROUP_DIGITS = 6;

/**
 * A new id of 20 lower-case letters and digits, which sorts by the time of its making, whatever the
 * collation of a database: a page can then start after an id that has been deleted meanwhile.
 */
export function newHistoryItemId(nowMs: number): string {
  const random = `${randomDigits(RANDOM_GROUP_DIGITS)}${randomDigits(RANDOM_DIGITS - RANDOM_GROUP_DIGITS)}`;
  return nowMs.toString(RADIX).padStart(TIME_DIGITS, '0') + random;
}

function randomDigits(count: number): string {
  return randomInt(RADIX ** count)
    .toString(RADIX)
    .padStart(count, '0');
}
