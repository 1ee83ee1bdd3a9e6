import { anyOf, FIGURE_END, type Rule, rule, WORD_END } from '../rule.ts';
import { digitByDigit, inPairs } from './cardinals.ts';
import { spokenDigitGroups } from './ids.ts';
import { spokenGroups } from './numbers.ts';
import { closed, spelledInGroups } from './spelling.ts';

/** After these even three digits are a name. */
const ALWAYS_NAMED = anyOf(
  'code|passcode|pin|otp|id|zip|ending in|ends in|ending with|ends with|confirmation|reference|last four|last four digits|last 4 digits|password|extension|ext|ext.'.split(
    '|',
  ),
);
/** Kinds of "… number" that name something. */
const NUMBERED =
  '(?:account|order|tracking|confirmation|policy|card|case|ticket|serial|reference|claim|routing|invoice|member|phone) number';
/** After these four digits are, though they also count things ("order 100 units"). */
const OFTEN_NAMED = anyOf(
  'order|ticket|account|case|claim|policy|invoice|number|member|tracking|booking|reservation|no.|digits'.split(
    '|',
  ),
);
/** What may stand between the word and the digits: "code is: #", "account number". */
const LINK = "(?: is| are| was|:|,| number| no\\.?|'s)?(?: is|:)? ?#?";
/** Read in pairs: "room 305", "flight 1234". */
const PAIRED = `(?:flight [A-Z]{2}|${anyOf(
  'room|suite|form|apartment|apt|apt.|unit|flight|gate|route|highway|bus|channel|interstate|exit'.split(
    '|',
  ),
)})`;
const BEFORE_LETTERS =
  '(?:[Cc]ode|[Cc]onfirmation|[Rr]eference|[Ll]ocator|[Pp]late)(?: number)?(?: is|:)?';
/** Capitals that no word would hold: "XKJQWE", but not "CONFIRM". */
const UNREADABLE =
  '(?=[A-Z]{0,10}(?:[B-DF-HJ-NP-TV-Z]{3}|Q[A-TV-Z]|[JVX][B-DF-HJ-NP-TV-Z]))[A-Z]{5,12}';
const MASK = '[*•xX]{2,4}(?:[ -]?[*•xX]{2,4}){0,3}[ -]?';

/** Cards, accounts, orders and one-time codes: figures that the words around them make a name. */
export const codeRules: readonly Rule[] = [
  rule('digit', `[0-9]{4}([ -])[0-9]{4}\\1[0-9]{4}\\1[0-9]{1,7}${FIGURE_END}`, spokenDigitGroups),
  rule('digit', `[0-9]{4}([ -])[0-9]{6}\\1[0-9]{5}${FIGURE_END}`, spokenDigitGroups),
  rule('digit', `401\\(?[kK](?:\\)|${FIGURE_END})`, () => 'four oh one K'),
  rule('digit', `[0-9]{3}-[0-9]{2}-[0-9]{4}${FIGURE_END}`, spokenDigitGroups),
  rule('digit', `(?:1040|1099)${FIGURE_END}`, ([taxForm]) => inPairs(taxForm)),
  rule('digit', `(?<=\\b${PAIRED} #?)[0-9]{3,4}${FIGURE_END}`, ([digits]) => inPairs(digits), 'i'),
  rule(
    'digit',
    `(?<=\\b(?:${ALWAYS_NAMED}${LINK} ?|${NUMBERED}(?: is|:)? ?#?))[0-9]{3,36}${FIGURE_END}`,
    spokenDigitGroups,
    'i',
  ),
  rule(
    'digit',
    `(?<=(?:\\b${OFTEN_NAMED}${LINK} ?|#))[0-9]{4,36}${FIGURE_END}`,
    ([digits]) => spokenGroups(digits),
    'i',
  ),
  rule('letter', `(?<=\\b${BEFORE_LETTERS} )${UNREADABLE}${WORD_END}`, (match) =>
    closed(spelledInGroups(match[0]), match),
  ),
  ...(['symbol', 'letter'] as const).map((start) =>
    rule(
      start,
      `${MASK}([0-9]{3,4})${FIGURE_END}`,
      ([, lastDigits = '']) => `ending in ${digitByDigit(lastDigits)}`,
    ),
  ),
];
