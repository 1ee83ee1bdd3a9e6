import { FIGURE_END, type Rule, rule } from '../rule.ts';
import { cardinal, inPairs, ordinal } from './cardinals.ts';

/** Only these denominators are surely fractions; "9/11" and "5/20" may be dates. */
const DENOMINATORS: ReadonlySet<number> = new Set([2, 3, 4, 5, 6, 8, 10, 16, 32, 64, 100, 1000]);

const VULGAR: ReadonlyMap<string, readonly [string, string]> = new Map(
  '½1/2 ⅓1/3 ⅔2/3 ¼1/4 ¾3/4 ⅕1/5 ⅖2/5 ⅗3/5 ⅘4/5 ⅙1/6 ⅚5/6 ⅛1/8 ⅜3/8 ⅝5/8 ⅞7/8'
    .split(' ')
    .map((entry) => {
      const [top = '', bottom = ''] = entry.slice(1).split('/');
      return [entry.slice(0, 1), [top, bottom]] as const;
    }),
);
const VULGAR_SIGN = `[${[...VULGAR.keys()].join('')}]`;

/** Fractions, alone or after a whole number, and scores ("10/10", "24/7"). */
export const fractionRules: readonly Rule[] = [
  rule(
    'digit',
    `(?:([0-9]{1,4})(?: |-))?([0-9]{1,3})/([0-9]{1,4})${FIGURE_END}`,
    ([, whole, top = '', bottom = '']) => fractionWords(whole, top, bottom),
  ),
  rule('digit', `([0-9]{1,4}) ?(${VULGAR_SIGN})`, ([, whole, sign = '']) =>
    vulgarWords(sign, whole),
  ),
  rule('letter', VULGAR_SIGN, ([sign]) => vulgarWords(sign)),
  // Blood pressure: "120/80".
  rule(
    'digit',
    `([1-2][0-9]{2}|[89][0-9])/([4-9][0-9]|1[0-4][0-9])${FIGURE_END}`,
    ([, upper = '', lower = '']) =>
      Number(upper) > Number(lower) ? `${inPairs(upper)} over ${inPairs(lower)}` : undefined,
  ),
  rule('digit', `50/50${FIGURE_END}`, () => 'fifty-fifty'),
  rule('digit', `24/7${FIGURE_END}`, () => 'twenty-four seven'),
  rule(
    'digit',
    `([0-9]{1,3})/\\1${FIGURE_END}`,
    ([, figure = '']) => `${cardinal(figure)} out of ${cardinal(figure)}`,
  ),
];

/**
 * @param whole the number before it ("3 1/2"), if any.
 * @returns undefined where it is no proper fraction of a common kind.
 */
export function fractionWords(
  whole: string | undefined,
  top: string,
  bottom: string,
): string | undefined {
  const parts = Number(bottom);
  const count = Number(top);
  if (!DENOMINATORS.has(parts) || count === 0 || count >= parts || top.startsWith('0'))
    return undefined;
  const name = partName(parts, count);
  return whole === undefined
    ? `${cardinal(top)} ${name}`
    : `${cardinal(whole)} and ${count === 1 ? article(parts) : cardinal(top)} ${name}`;
}

function vulgarWords(sign: string, whole?: string): string | undefined {
  const [top, bottom] = VULGAR.get(sign) ?? [];
  return top === undefined || bottom === undefined ? undefined : fractionWords(whole, top, bottom);
}

function partName(parts: number, count: number): string {
  if (parts === 2) return 'half';
  const name =
    parts === 4
      ? 'quarter'
      : parts === 100 || parts === 1000
        ? `${cardinal(String(parts)).split(' ')[1]}th`
        : ordinal(String(parts));
  return count === 1 ? name : `${name}s`;
}

function article(parts: number): string {
  return parts === 8 ? 'an' : 'a';
}
