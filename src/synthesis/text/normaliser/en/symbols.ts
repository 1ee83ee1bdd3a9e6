import { type Rule, rule } from '../rule.ts';

const BETWEEN = '(?<=[\\p{L}\\p{N})%] ?)';

/** Signs that are words between words and numbers; tried after those that belong to a number. */
export const symbolRules: readonly Rule[] = [
  // "AT&T" and "R&D" are names; a phonemiser reads their sign well.
  rule('symbol', '&(?<![A-Z]&(?=[A-Z]))', padded('and')),
  rule('symbol', `${BETWEEN}\\+(?= ?[\\p{N}$])`, padded('plus')),
  rule('symbol', '(?<=[0-9])\\+(?![\\p{L}\\p{N}+])', padded('plus')),
  rule('symbol', `${BETWEEN}=(?= ?[\\p{L}\\p{N}$-])`, padded('equals')),
  rule('symbol', `(?<=[0-9)] ?)[×*](?= ?[0-9(])`, padded('times')),
  rule('symbol', `(?<=[0-9)] ?)÷(?= ?[0-9(])`, padded('divided by')),
  rule('symbol', '(?<=[0-9)] )−(?= [0-9(])', padded('minus')),
  rule('symbol', '\\*(?=[0-9#]|(?<=[\\s"\'(].)(?:[\\s"\'),.!?]|$))', padded('star')),
  rule('symbol', '(?<=\\b(?:[Pp]ress|[Dd]ial|[Hh]it|[Ee]nter|[Tt]he|[Oo]r|by) )#', padded('pound')),
  rule('symbol', '#(?=[A-Z0-9-]{0,20}[0-9])', padded('number')),
  rule('symbol', '#(?=\\p{L})', padded('hashtag')),
  rule('symbol', '@(?=\\s?[\\p{L}\\p{N}])', padded('at')),
  rule('symbol', '%', padded('percent')),
  rule('symbol', '>(?= ?[$€£]?[0-9])(?<=(?:^|\\s)>)', padded('more than')),
  rule('symbol', '<(?= ?[$€£]?[0-9])(?<=(?:^|\\s)<)', padded('less than')),
  rule('symbol', '~(?=[$€£]?[0-9])', padded('about')),
  rule('symbol', '©\\uFE0F?', padded('copyright')),
  rule('symbol', '[→⇒]', padded('to')),
  rule('letter', '(?:and/or)(?!\\p{L})', () => 'and or', 'i'),
  rule(
    'letter',
    '(he/she|she/he|his/her|her/his|him/her|he/him|she/her)(?![\\p{L}/])',
    ([pair]) => pair.replace('/', ' or '),
    'i',
  ),
  rule('letter', 'w/o(?!\\p{L})', () => 'without'),
  rule('letter', 'w/ ?(?=\\p{L})', () => 'with '),
  rule('letter', 'c/o(?!\\p{L})', () => 'care of', 'i'),
  rule('letter', 'N/A(?!\\p{L})', () => 'not applicable'),
];

/** The word, with a space wherever the sign touched its neighbour. */
function padded(word: string): Rule['speak'] {
  return ({ 0: sign, index, input }) => {
    const before = index > 0 && !/[\s("']/.test(input[index - 1] ?? ' ') ? ' ' : '';
    const after = /[\p{L}\p{N}$€£(]/u.test(input[index + sign.length] ?? ' ') ? ' ' : '';
    return `${before}${word}${after}`;
  };
}
