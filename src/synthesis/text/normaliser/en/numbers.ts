import { groupsOf } from '../groups.ts';
import { FIGURE_END, RANGE_END, type Rule, rule } from '../rule.ts';
import { cardinal, digitByDigit, ordinal } from './cardinals.ts';

/** "1,000,000" or "1000000", as a regular expression's source. */
const WHOLE_NUMBER = '(?:[0-9]{1,3}(?:,[0-9]{3}){1,11}|[0-9]{1,36})';
/** A whole number or a decimal ("2.5", "1,234.56"). */
export const NUMBER = `${WHOLE_NUMBER}(?:\\.[0-9]{1,20})?`;

/** Longer figures without commas, unless they are round, are more likely names than amounts. */
const LONGEST_PLAIN_AMOUNT = 6;

/**
 * @param written what `NUMBER` matched.
 * @returns "three point one four"; digit by digit where the figure is no amount ("007", "48213377").
 */
export function spokenNumber(written: string): string {
  const [whole = '', decimals] = written.replaceAll(',', '').split('.');
  if (decimals !== undefined) {
    return `${whole === '' ? '' : `${cardinal(whole)} `}point ${digitByDigit(decimals)}`;
  }
  const isName =
    /^0\d/.test(whole) || (whole.length > LONGEST_PLAIN_AMOUNT && !whole.endsWith('000'));
  return isName && !written.includes(',') ? spokenGroups(whole) : cardinal(whole);
}

/** Digits in the groups in which people say them, with a pause between: "one two three, four five six". */
export function spokenGroups(digits: string): string {
  return groupsOf(digits).map(digitByDigit).join(', ');
}

/** Whether the number takes a singular noun ("1", "1.0" does not). */
export function isOne(written: string): boolean {
  return written === '1';
}

/** Cardinals, decimals, ordinals, negatives: the last to be tried on a figure. */
export const numberRules: readonly Rule[] = [
  rule(
    'digit',
    `(${WHOLE_NUMBER})(?:st|nd|rd|th)${RANGE_END}`,
    ([, digits = '']) => ordinal(digits.replaceAll(',', '')),
    'i',
  ),
  rule('digit', `${NUMBER}${FIGURE_END}`, ([written]) => spokenNumber(written)),
  rule('symbol', `(?<![\\p{L}\\p{N}.])\\.[0-9]{1,20}${FIGURE_END}`, ([written]) =>
    spokenNumber(written),
  ),
  rule('symbol', '(?<=^|[\\s(\\[=:])[-−](?=[$€£¥₹]?\\.?[0-9])', () => 'minus '),
];
