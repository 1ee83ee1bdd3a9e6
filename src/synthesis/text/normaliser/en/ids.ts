import { FIGURE_END, type Rule, rule } from '../rule.ts';
import { cardinal, inPairs } from './cardinals.ts';
import { spokenGroups } from './numbers.ts';
import { closed, spelled, spelledInGroups } from './spelling.ts';

const CONSONANT = '[B-DF-HJ-NP-TV-Z]';
/** Capitals and digits, at least one of each, in parts joined by hyphens. */
const MIXED =
  '(?=[A-Z0-9-]{0,30}[0-9])(?=[A-Z0-9-]{0,30}[A-Z])[A-Z0-9]{1,20}(?:-[A-Z0-9]{1,20}){0,5}';
/** In lower case only where letters and digits take turns: "covid19" is a word, "x7f9q2" is not. */
const TAKING_TURNS = '(?=[a-z]{0,8}[0-9]{1,8}[a-z]{1,8}[0-9])[a-z0-9]{5,24}';

/** Names made of letters and digits, which need no word before them to be known. */
export const idRules: readonly Rule[] = [
  // "F-150", "B12", "GPT-4", "COVID-19": a name and its number, not a code.
  rule(
    'letter',
    `([A-Z])-?([0-9]{1,3})${FIGURE_END}`,
    ([, letter, digits = '']) => `${letter}${letter === 'A' ? '-' : ' '}${inPairs(digits)}`,
  ),
  rule('letter', `([A-Z]{2,3})-([0-9]{1,2})${FIGURE_END}`, ([, letters = '', digits = '']) =>
    spelled(`${letters}${digits}`),
  ),
  rule(
    'letter',
    `(?![A-Z]{0,19}${CONSONANT}{3})([A-Z]{4,20})-?([0-9]{1,2})${FIGURE_END}`,
    ([, name, digits = '']) => `${name} ${cardinal(digits)}`,
  ),
  // "5G", "12B": the figure is said as a number.
  rule('digit', `([0-9]{1,3})([A-Z])${FIGURE_END}`, (match) =>
    closed(`${inPairs(match[1] ?? '')} ${match[2]}`, match),
  ),
  rule('digit letter', `${MIXED}${FIGURE_END}`, (match) =>
    closed(match[0].split('-').map(spelledInGroups).join(', '), match),
  ),
  rule('digit letter', `${TAKING_TURNS}${FIGURE_END}`, (match) =>
    closed(spelledInGroups(match[0]), match),
  ),
  rule('letter', `v(?=[0-9])`, () => 'version '),
  rule(
    'letter',
    `(mp|co|h)([0-9])${FIGURE_END}`,
    ([, letters = '', digits = '']) => `${spelled(letters)} ${cardinal(digits)}`,
  ),
];

/** Digits in groups that no more particular rule has read; to be tried before plain numbers. */
export const groupedDigitRules: readonly Rule[] = [
  rule('digit', `[0-9]{1,12}(?:-[0-9]{1,12}){2,7}${FIGURE_END}`, spokenDigitGroups),
  rule('digit', `(?=0|[0-9]{1,11}-0)[0-9]{1,12}-[0-9]{4,12}${FIGURE_END}`, spokenDigitGroups),
  rule('digit', `[0-9]{2}-[0-9]{7}${FIGURE_END}`, spokenDigitGroups),
  rule('digit', `[0-9]{1,3}(?:\\.[0-9]{1,3}){3}${FIGURE_END}`, ([address]) =>
    address.split('.').map(inPairs).join(' dot '),
  ),
  rule('digit', `[0-9]{1,4}(?:\\.[0-9]{1,4}){2}${FIGURE_END}`, ([version]) =>
    version.split('.').map(cardinal).join(' point '),
  ),
];

/** Every run of digits on its own, with a pause between: "12-3456789". */
export function spokenDigitGroups([written]: RegExpExecArray): string {
  return (written.match(/[0-9]{1,40}/g) ?? []).map(spokenGroups).join(', ');
}
