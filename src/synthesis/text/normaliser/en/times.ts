import { FIGURE_END, type Rule, rule } from '../rule.ts';
import { cardinal, minutes } from './cardinals.ts';

const HOUR = '(?:1[0-2]|0?[1-9])';
const ANY_HOUR = '(?:2[0-3]|1[0-9]|0?[0-9])';
const MINUTE = '[0-5][0-9]';
/** Its own full stop belongs to "p.m."; "pm." at a sentence's end gives "p.m." too. */
const HALF_OF_DAY = '([ap])(?:m(?![\\p{L}\\p{N}])\\.?|\\. ?m\\.?(?![\\p{L}\\p{N}]))';
const DASH = ' ?[-–—] ?';
/** What a time may be followed by in a range such as "9-11:30 am". */
const LATER_TIME = `${HOUR}(?::${MINUTE})?`;

/** Times of day on both clocks, and ranges of them. */
export const timeRules: readonly Rule[] = [
  rule(
    'digit',
    `(${HOUR})(?::(${MINUTE}))?(?::${MINUTE})? ?${HALF_OF_DAY}`,
    ([, hour = '', minute, half = '']) => `${clock(hour, minute)} ${half.toLowerCase()}.m.`,
    'i',
  ),
  rule(
    'digit',
    `(${HOUR})(?::(${MINUTE}))?${DASH}(?=${LATER_TIME} ?${HALF_OF_DAY})`,
    ([, hour = '', minute]) => `${clock(hour, minute)} to `,
    'i',
  ),
  rule(
    'digit',
    `(${HOUR}):(${MINUTE})${DASH}(?=${ANY_HOUR}(?::${MINUTE})?(?![\\p{L}\\p{N}:/-]))`,
    ([, hour = '', minute]) => `${clock(hour, minute)} to `,
  ),
  rule(
    'digit',
    `(${ANY_HOUR}):(${MINUTE})${DASH}(?=${ANY_HOUR}:${MINUTE}(?![\\p{L}\\p{N}:/-]))`,
    ([, hour = '', minute = '']) => `${timeOfDay(hour, minute)} to `,
  ),
  rule(
    'digit',
    `(${ANY_HOUR}):(${MINUTE})(?::(${MINUTE}))?(?= ?(o['’]clock)?)${FIGURE_END}`,
    ([, hour = '', minute = '', second, clockWord]) =>
      second === undefined && clockWord !== undefined
        ? clock(hour, minute)
        : `${timeOfDay(hour, minute)}${seconds(second)}`,
    'i',
  ),
  // No time of day: minutes and seconds.
  rule(
    'digit',
    `([2-9][0-9]):(${MINUTE})${FIGURE_END}`,
    ([, minute = '', second = '']) => `${cardinal(minute)} ${minutes(second)}`,
  ),
  // "9-5" is a working day, though nine is more than five.
  rule(
    'digit',
    `(${HOUR})[-–](?=${HOUR}(?![\\p{L}\\p{N}]|[.,:/–-][0-9]))`,
    ([, hour = '']) => `${cardinal(hour)} to `,
  ),
  rule(
    'digit',
    `([1-9][0-9]?):([0-9])${FIGURE_END}`,
    ([, left = '', right = '']) => `${cardinal(left)} to ${cardinal(right)}`,
  ),
];

/** "3:15" → "three fifteen", "3:00" → "three". */
function clock(hour: string, minute = '00'): string {
  return minute === '00' ? cardinal(hour) : `${cardinal(hour)} ${minutes(minute)}`;
}

/** Without "a.m." or "p.m.": "three o'clock", "fifteen thirty", "fifteen hundred"; the first hour is named. */
function timeOfDay(hour: string, minute: string): string {
  const value = Number(hour);
  if (value === 0) return minute === '00' ? 'midnight' : `${clock('12', minute)} a.m.`;
  if (minute !== '00') return clock(hour, minute);
  return value > 12 ? `${cardinal(hour)} hundred` : `${cardinal(hour)} o'clock`;
}

function seconds(second: string | undefined): string {
  if (second === undefined || second === '00') return '';
  return ` and ${cardinal(second)} second${second === '01' ? '' : 's'}`;
}
