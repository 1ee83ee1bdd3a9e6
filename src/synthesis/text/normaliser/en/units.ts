import { anyOf, RANGE_END, type Rule, rule, WORD_END } from '../rule.ts';
import { fractionWords } from './fractions.ts';
import { isOne, NUMBER, spokenNumber } from './numbers.ts';
import { sentenceStop } from './sentence-stop.ts';
import { PER_NAMES, UNIT_NAMES } from './unit-names.ts';

/** Letters that are words or names when they stand apart ("5 W Main St", "5 in the car", "5 V"). */
const ATTACHED_ONLY = new Set(['W', 'V', 'J', 'L', 's', 'pt']);
const APART = anyOf([...UNIT_NAMES.keys()].filter((symbol) => !ATTACHED_ONLY.has(symbol)));
const ATTACHED = anyOf([...UNIT_NAMES.keys(), 'in']);
/** The full stop of "ft." and "lbs.", unless the sentence may end there. */
const ABBREVIATION_STOP = '(?:(?<=[A-Za-z])\\.(?= [a-z0-9(]|[,;:]))?';

/** Numbers with their units. Singular after "1"; "5-10kg" is a range whose unit comes last. */
export const unitRules: readonly Rule[] = [
  rule(
    'digit',
    `([0-9]{1,2})(?:['′’] ?|(?: ?ft\\.? ))([0-9]{1,2})(?:["″”]|''|’’| ?in\\.?${WORD_END}(?!\\.))?${RANGE_END}`,
    feetAndInches,
  ),
  rule('digit', `(${NUMBER})′${RANGE_END}`, ([, amount = '']) => withUnit(amount, 'ft')),
  rule('digit', `(${NUMBER})″${RANGE_END}`, ([, amount = '']) => withUnit(amount, 'in.')),
  rule(
    'digit',
    `(?:([0-9]{1,4})[ -])?([0-9]{1,2})/([0-9]{1,3}) ?[-]?(${APART})${RANGE_END}${ABBREVIATION_STOP}`,
    ([, whole, top = '', bottom = '', unit = '']) => {
      const fraction = fractionWords(whole, top, bottom);
      return fraction === undefined
        ? undefined
        : `${fraction} ${UNIT_NAMES.get(unit)?.[whole === undefined ? 0 : 1]}`;
    },
  ),
  rule(
    'digit',
    `(${NUMBER})(?:(${ATTACHED})|[ \\u00A0-](${APART}))${RANGE_END}${ABBREVIATION_STOP}`,
    ([written, amount = '', attached, apart]) =>
      // "the 5-min walk", "a 16-oz cup": joined by a hyphen the unit is an adjective.
      withUnit(amount, attached ?? apart ?? '', written[amount.length] === '-'),
  ),
  rule(
    'digit',
    `([0-9]{1,3}(?:\\.[0-9]{1,2})?)[xX]${WORD_END}(?! ?[0-9])`,
    ([, amount = '']) => `${spokenNumber(amount)} ${isOne(amount) ? 'time' : 'times'}`,
  ),
  rule(
    'digit',
    `(?!0x)(${NUMBER}) ?[x×] ?(?=[0-9])(?![0-9.,]{1,20} ?=)`,
    ([, amount = '']) => `${spokenNumber(amount)} by `,
  ),
  rule(
    'digit',
    `([0-9]{1,3}\\.[0-9]{1,3})([KMB])${WORD_END}`,
    ([, amount = '', scale = '']) =>
      `${spokenNumber(amount)} ${scale === 'K' ? 'thousand' : scale === 'M' ? 'million' : 'billion'}`,
  ),
  // A race keeps its letter, unless it counts something: "10k users".
  rule(
    'digit',
    `(5|10)k${RANGE_END}(?! [a-z]{2,20}s\\b)`,
    ([, amount = '']) => `${spokenNumber(amount)} K`,
  ),
  rule(
    'digit',
    `(${NUMBER})k${RANGE_END}`,
    ([, amount = '']) => `${spokenNumber(amount)} thousand`,
  ),
  rule(
    'symbol',
    `(?<=[0-9][^\\s/]{0,12}(?: [^\\s/]{1,10})?)/ ?(${anyOf(PER_NAMES.keys())})${WORD_END}(\\.?)`,
    (match) => ` per ${PER_NAMES.get(match[1] ?? '')}${match[2] === '' ? '' : sentenceStop(match)}`,
  ),
];

function feetAndInches([, feet = '', inches = '']: RegExpExecArray): string | undefined {
  if (Number(inches) > 11) return undefined;
  return `${withUnit(feet, 'ft')} ${withUnit(inches, 'in.')}`;
}

function withUnit(amount: string, symbol: string, isAdjective = false): string | undefined {
  const names = UNIT_NAMES.get(symbol) ?? UNIT_NAMES.get(`${symbol}.`);
  if (names === undefined) return undefined;
  return `${spokenNumber(amount)} ${names[isAdjective || isOne(amount) ? 0 : 1]}`;
}
