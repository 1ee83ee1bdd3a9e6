import { anyOf, FIGURE_END, type Rule, rule, WORD_END } from '../rule.ts';
import { digitByDigit, inPairs } from './cardinals.ts';
import { sentenceStop } from './sentence-stop.ts';
import { AMBIGUOUS_STATES, STATE_NAMES } from './states.ts';
import { DIRECTIONS, SAINTS, STREET_SUFFIXES, STREET_WORDS } from './streets.ts';

const SUFFIX = anyOf(STREET_SUFFIXES.keys());
const STREET_END = `(?:${SUFFIX}|${anyOf(STREET_WORDS)})`;
const DIRECTION = anyOf(DIRECTIONS.keys());
const NAME = "(?:[A-Z][\\p{L}'’]{0,24}|[0-9]{1,3}(?:st|nd|rd|th))";
const STATE = anyOf(STATE_NAMES.keys());
const CLEAR_STATE = anyOf([...STATE_NAMES.keys()].filter((state) => !AMBIGUOUS_STATES.has(state)));
const ZIP = '[0-9]{5}(?:-[0-9]{4})?(?![\\p{L}\\p{N}-])';
const STREET_NAME = `(?:${DIRECTION}\\.? |(?:North|South|East|West) )?(?:(?:St\\.? )?${NAME} ){1,3}${STREET_END}`;

/** Postal addresses: house numbers, street suffixes, directions, states, ZIP codes, and saints. */
export const addressRules: readonly Rule[] = [
  rule('digit', `[0-9]{3,6}(?= (?:${STREET_NAME}${WORD_END}|Broadway\\b))`, ([house]) =>
    inPairs(house),
  ),
  rule(
    'digit',
    `(?<=\\b(?:${STATE}|${anyOf(STATE_NAMES.values())}),? )([0-9]{5})(?:-([0-9]{4}))?${FIGURE_END}`,
    zipCode,
  ),
  rule('letter', `(?<=[,\\p{L}] )(${STATE})(?=,? ${ZIP})`, ([, state = '']) =>
    STATE_NAMES.get(state),
  ),
  rule('letter', `(?<=\\b[A-Z][a-z]{2,24}, )(${CLEAR_STATE})(?=[.,;:!?)]|$)`, ([, state = '']) =>
    STATE_NAMES.get(state),
  ),
  rule('letter', '[Pp]\\. ?[Oo]\\. (?=[Bb]ox)', () => 'P O '),
  rule(
    'letter',
    `(${DIRECTION})\\.?(?= ${NAME})(?<=\\b[0-9]{1,6} ${DIRECTION}\\.?)`,
    ([, direction = '']) => DIRECTIONS.get(direction),
  ),
  rule(
    'letter',
    `(?<=\\b${STREET_END}\\.? )(${DIRECTION})${WORD_END}\\.?`,
    ([stretch, direction = '']) => (stretch.endsWith('.') ? undefined : DIRECTIONS.get(direction)),
  ),
  rule(
    'letter',
    `St\\.? (?=${anyOf(SAINTS)}(?!\\p{L}))(?<!\\b[0-9]{1,6} (?:[A-Z]\\.? )?${NAME} St\\.? )`,
    () => 'Saint ',
  ),
  rule('letter', `(?<=${NAME} )(${SUFFIX})(?:(\\.)|(?![\\p{L}\\p{N}_'’]))`, streetSuffix),
  rule('letter', 'St\\.(?= [A-Z])', () => 'Saint'),
];

function zipCode([, zip = '', plusFour]: RegExpExecArray): string {
  return [zip, ...(plusFour === undefined ? [] : [plusFour])].map(digitByDigit).join(', ');
}

/** What comes before a suffix that ends a street's name: a house number, or a word of place. */
const NUMBERED_STREET = new RegExp(
  `\\b[0-9]{1,6}(?:st|nd|rd|th)? (?:[NSEW]{1,2}\\.? )?(?:${NAME} ){0,3}$`,
  'u',
);
const PLACED_STREET =
  /\b(?:on|at|to|off|near|along|onto|from|down|of|and|corner) (?:[A-Z]['’\w]{0,24} ){0,3}$/;
const LONGEST_STREET_NAME = 80;

/** "Main St." → "Main Street"; a "Dr." or "St" that is a title before a name is left to other rules. */
function streetSuffix(match: RegExpExecArray): string | undefined {
  const [stretch, suffix = '', stop] = match;
  const { index, input } = match;
  const before = input.slice(Math.max(0, index - LONGEST_STREET_NAME), index);
  const isStreet = NUMBERED_STREET.test(before) || PLACED_STREET.test(before);
  const precedesName = /^ [A-Z][a-z]/.test(input.slice(index + stretch.length));
  const isTitle = (suffix === 'Dr' || suffix === 'St') && precedesName;
  const isOtherWord = stop === undefined && (suffix.length === 2 || suffix === 'Ter');
  if (!isStreet && (isTitle || isOtherWord)) return undefined;
  return `${STREET_SUFFIXES.get(suffix)}${stop === undefined ? '' : sentenceStop(match)}`;
}
