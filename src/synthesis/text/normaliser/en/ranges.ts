import { type Rule, rule } from '../rule.ts';
import { NUMBER, spokenNumber } from './numbers.ts';

/** What ends the first half of a range: a sign, a unit, an ordinal's ending, a half of the day. */
const SUFFIX = '(?:%|°[FC]?| ?[A-Za-z]{1,4}\\.?| ?[ap]\\.m\\.)';
const NEXT_FIGURE = '[$€£]?[0-9]';

/** "10-15" → "ten to fifteen". The second half is left to the rule for its own kind ("15%", "15 kg"). */
export const rangeRules: readonly Rule[] = [
  rule(
    'digit',
    `(${NUMBER})([-–]| [-–] )(?=(${NUMBER})(?![0-9]|[-–:/][0-9]|[.,][0-9]))`,
    firstHalf,
  ),
  // "5kg-10kg", "10%–15%", "9am-5pm", "1st-3rd".
  rule('symbol', `(?<=[0-9]${SUFFIX})[-–](?=${NEXT_FIGURE})`, () => ' to '),
  rule('symbol', `(?<=[0-9]${SUFFIX} )[-–](?= ${NEXT_FIGURE})`, () => 'to'),
];

/** Falling figures are a score ("21-14") when small, and a subtraction or a code when not. */
function firstHalf([, from = '', dash = '', to = '']: RegExpExecArray): string | undefined {
  const isScore = dash.length === 1 && from.length <= 3 && to.length <= 3;
  const isRange = isScore || (amount(from) < amount(to) && !/^0\d/.test(from));
  return isRange ? `${spokenNumber(from)} to ` : undefined;
}

function amount(written: string): number {
  return Number(written.replaceAll(',', ''));
}
