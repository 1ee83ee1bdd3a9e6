import { FIGURE_END, type Rule, rule, WORD_END } from '../rule.ts';
import { digitByDigit } from './cardinals.ts';
import { spokenGroups } from './numbers.ts';
import { spelled } from './spelling.ts';

const SEPARATOR = '(?: ?[-–.] ?| )';
const NORTH_AMERICAN = `\\(?([2-9][0-9]{2})(?:\\) ?${SEPARATOR}?|${SEPARATOR})([0-9]{3})${SEPARATOR}([0-9]{4})`;
const EXTENSION = '(?:,? ?(?:x|ext\\.?|extension) ?([0-9]{1,6}))?';
const SERVICE_CODES = '[2-8]11|911|988';

/**
 * Telephone numbers, read digit by digit with a pause between the groups. Sources: the North
 * American Numbering Plan's shapes, ITU-T E.164 for the international ones.
 */
export const telephoneRules: readonly Rule[] = [
  ...(['digit', 'symbol'] as const).flatMap((start) => [
    rule(
      start,
      `(?:(\\+?)(1)${SEPARATOR})?${NORTH_AMERICAN}${EXTENSION}${FIGURE_END}`,
      northAmerican,
      'i',
    ),
    rule(
      start,
      `(\\+?)(1)([2-9][0-9]{2})([0-9]{3})([0-9]{4})${EXTENSION}${FIGURE_END}`,
      northAmerican,
      'i',
    ),
  ]),
  rule(
    'digit',
    `()()([2-9][0-9]{2})([0-9]{3})([0-9]{4})${EXTENSION}${FIGURE_END}`,
    northAmerican,
    'i',
  ),
  rule(
    'digit',
    `([2-9][0-9]{2})[-–.]([0-9]{4})${FIGURE_END}`,
    ([, exchange = '', line = '']) => `${digitByDigit(exchange)}, ${digitByDigit(line)}`,
  ),
  rule(
    'digit',
    `(?:1[-–. ])?([89][0-9]{2})[-–. ]([A-Z]{2,10})(?:[-–. ]([A-Z]{2,8}))?${WORD_END}`,
    vanity,
  ),
  rule(
    'symbol',
    `\\+([1-9][0-9]{0,2})((?:[-–. ]?\\(?[0-9]{1,12}\\)?){1,6})${FIGURE_END}`,
    international,
  ),
  rule(
    'digit',
    `(?<=\\b(?:call|dial|text|phone) \\*?)(?:${SERVICE_CODES}|[0-9]{3,6}|(?<=\\*)[0-9]{2})${FIGURE_END}`,
    ([digits]) => digitByDigit(digits),
    'i',
  ),
  rule('digit', `911${FIGURE_END}`, ([digits]) => digitByDigit(digits)),
  rule(
    'letter',
    `ext\\.? ?([0-9]{2,6})${FIGURE_END}`,
    ([, digits = '']) => `extension ${digitByDigit(digits)}`,
    'i',
  ),
];

function northAmerican(match: RegExpExecArray): string {
  const [, plus, country, area = '', exchange = '', line = '', extension] = match;
  const groups = [areaCode(area), digitByDigit(exchange), digitByDigit(line)];
  if (country) groups.unshift(plus ? 'plus one' : 'one');
  if (extension) groups.push(`extension ${digitByDigit(extension)}`);
  return groups.join(', ');
}

/** "800" is the one area code with a name: "eight hundred". */
function areaCode(digits: string): string {
  return digits.endsWith('00')
    ? `${digitByDigit(digits.slice(0, 1))} hundred`
    : digitByDigit(digits);
}

/** "1-800-FLOWERS": letters with a vowel are the word that the number spells out. */
function vanity([written, area = '', ...words]: RegExpExecArray): string {
  const names = words
    .filter((word): word is string => word !== undefined)
    .map((word) => (/[AEIOUY]/.test(word) ? word.toLowerCase() : spelled(word)));
  return `${written.startsWith('1') ? 'one, ' : ''}${areaCode(area)}, ${names.join(' ')}`;
}

/** Keeps the groups as they are written; a number without any is cut into threes and fours. */
function international([, country = '', rest = '']: RegExpExecArray): string | undefined {
  const groups = rest.match(/[0-9]{1,12}/g) ?? [];
  const digitCount = country.length + groups.join('').length;
  // E.164 allows 15 digits; fewer than 8 is a sum or a score, not a telephone number.
  if (digitCount < 8 || digitCount > 15) return undefined;
  return `plus ${[digitByDigit(country), ...groups.map(spokenGroups)].join(', ')}`;
}
