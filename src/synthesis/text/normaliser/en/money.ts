import { anyOf, RANGE_END, type Rule, rule, WORD_END } from '../rule.ts';
import { cardinal } from './cardinals.ts';
import { CURRENCY_CODES, CURRENCY_SIGNS, type Currency } from './currencies.ts';
import { isOne, NUMBER, spokenNumber } from './numbers.ts';

const SIGN = anyOf(CURRENCY_SIGNS.keys());
const CODE = anyOf(CURRENCY_CODES.keys());
const SCALE = `(?: ?(thousand|million|billion|trillion|[kKmMbB]|mm|MM|bn)${WORD_END})?`;
const SCALE_NAMES: Readonly<Record<string, string>> = {
  k: 'thousand',
  m: 'million',
  mm: 'million',
  b: 'billion',
  bn: 'billion',
};

/** Amounts of money: the whole stretch, sign and all, is one segment. */
export const moneyRules: readonly Rule[] = [
  ...(['symbol', 'letter'] as const).flatMap((start) => [
    rule(
      start,
      `(${SIGN}|${CODE}) ?(${NUMBER})${SCALE} ?[-–] ?(?:\\1 ?)?(${NUMBER})${SCALE}${RANGE_END}`,
      range,
    ),
    // "a $50 fee": the amount is an adjective, and adjectives have no plural.
    rule(
      start,
      `(?<=\\b[Aa]n? )(${SIGN})(${NUMBER})${SCALE}(?=[ -][a-z]{3,20}(?<!per|and|for|off))${RANGE_END}`,
      adjective,
    ),
    rule(
      start,
      `(${SIGN}|${CODE}) ?(${NUMBER})${SCALE}${RANGE_END}`,
      ([, sign = '', amount = '', scale]) => spokenAmount(currencyOf(sign), amount, scale),
    ),
  ]),
  rule(
    'digit',
    `(${NUMBER})${SCALE} ?(${CODE}|[€£¥₹])${RANGE_END}`,
    ([, amount = '', scale, sign = '']) => spokenAmount(currencyOf(sign), amount, scale),
  ),
  rule(
    'digit',
    `(${NUMBER}) ?¢${RANGE_END}`,
    ([, amount = '']) => `${spokenNumber(amount)} ${isOne(amount) ? 'cent' : 'cents'}`,
  ),
];

function currencyOf(sign: string): Currency | undefined {
  return CURRENCY_SIGNS.get(sign) ?? CURRENCY_CODES.get(sign);
}

function spokenAmount(
  currency: Currency | undefined,
  amount: string,
  scale?: string,
): string | undefined {
  if (currency === undefined) return undefined;
  if (scale !== undefined) return `${spokenNumber(amount)} ${scaleName(scale)} ${currency.many}`;
  const [whole = '', cents] = amount.replaceAll(',', '').split('.');
  if (cents?.length !== 2 || currency.cents === undefined) {
    return `${cents === undefined ? cardinal(whole) : spokenNumber(amount)} ${isOne(amount) ? currency.one : currency.many}`;
  }
  const wholePart = `${cardinal(whole)} ${isOne(whole) ? currency.one : currency.many}`;
  const centPart = `${cardinal(cents)} ${cents === '01' ? currency.cent : currency.cents}`;
  if (cents === '00') return wholePart;
  return Number(whole) === 0 ? centPart : `${wholePart} and ${centPart}`;
}

/** "$10-$20" and "$10-20" → "ten to twenty dollars"; "$5-10 million" scales both ends. */
function range([, sign = '', from = '', fromScale, to = '', toScale]: RegExpExecArray):
  | string
  | undefined {
  const currency = currencyOf(sign);
  if (currency === undefined) return undefined;
  if (from.includes('.') || to.includes('.')) {
    if (toScale === undefined)
      return `${spokenAmount(currency, from)} to ${spokenAmount(currency, to)}`;
  }
  const start =
    fromScale === undefined ? spokenNumber(from) : `${spokenNumber(from)} ${scaleName(fromScale)}`;
  return `${start} to ${spokenAmount(currency, to, toScale)}`;
}

function adjective([, sign = '', amount = '', scale]: RegExpExecArray): string | undefined {
  const currency = currencyOf(sign);
  if (currency === undefined || amount.includes('.')) return undefined;
  return [
    spokenNumber(amount),
    ...(scale === undefined ? [] : [scaleName(scale)]),
    currency.one,
  ].join(' ');
}

function scaleName(scale: string): string {
  return SCALE_NAMES[scale.toLowerCase()] ?? scale;
}
