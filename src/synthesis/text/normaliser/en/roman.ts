import { ROMAN_NUMERAL, romanValue } from '../roman-numerals.ts';
import { anyOf, type Rule, rule, WORD_END } from '../rule.ts';
import { cardinal, ordinal } from './cardinals.ts';

const HEADINGS = anyOf(
  'Chapter Section Part Volume Act Scene Article Book Phase Level Type Title Class Appendix Grade Stage Tier Figure War Bowl Schedule Exhibit Unit'.split(
    ' ',
  ),
);
const NAMES = anyOf(
  'Henry Louis Charles Edward George James Richard William Elizabeth Philip Pius Benedict John Paul Gregory Leo Catherine Frederick Ferdinand Napoleon Alexander Nicholas Peter Mary Francis'.split(
    ' ',
  ),
);

/** Roman numerals after a heading or a monarch's name, where nothing else could be meant. */
export const romanRules: readonly Rule[] = [
  // A lone "I" may be the pronoun ("the part I like").
  rule(
    'letter',
    `(?<=\\b${HEADINGS} )(?:I(?= ?(?:[.,:;)]|$))|(?!I${WORD_END})${ROMAN_NUMERAL})${WORD_END}`,
    ([numeral]) => cardinal(String(romanValue(numeral))),
  ),
  rule(
    'letter',
    `(?<=\\b${NAMES} )(?!I${WORD_END})${ROMAN_NUMERAL}${WORD_END}`,
    ([numeral]) => `the ${ordinal(String(romanValue(numeral)))}`,
  ),
];
