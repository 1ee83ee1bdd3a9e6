import { anyOf, FIGURE_END, type Rule, rule } from '../rule.ts';
import { cardinal, minutes, ordinal, pluralNumber, year } from './cardinals.ts';
import { fullMonth, MONTH, monthName, SHORT_MONTH } from './months.ts';

const YEAR = '(?:1[0-9]{3}|20[0-9]{2})';
const RECENT_YEAR = '(?:19[0-9]{2}|20[0-9]{2})';
const DAY = '(?:3[01]|[12][0-9]|0?[1-9])';
const DAY_NAMES = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const DASH = ' ?[-–—] ?';

/** After these a figure between 1000 and 2099 is a year, unless it counts something. */
const BEFORE_YEAR =
  '(?:[Ii]n|[Ss]ince|[Bb]y|[Uu]ntil|[Tt]ill|[Ff]rom|[Dd]uring|[Yy]ear|[Ee]arly|[Ll]ate|[Mm]id|[Cc]irca|[Oo]f|[Bb]efore|[Aa]fter|[Ss]pring|[Ss]ummer|[Ff]all|[Ww]inter|[Aa]utumn)';
/** "2000 people", "1500 miles": a plural noun follows; verbs in -s do not make an amount. */
const NOT_COUNTING =
  '(?! (?!was\\b|is\\b|has\\b|as\\b|vs\\b|plus\\b|this\\b|its\\b|does\\b)[a-z]{2,20}s\\b| ?[$%°]| (?:people|feet|percent|men|women|children|ft|kg|lb|mi|km|million|thousand)\\b)';

const SHORT_DAY = '(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)';

/** Calendar dates, years, decades and weekdays; figures in American order unless only the other fits. */
export const dateRules: readonly Rule[] = [
  rule(
    'digit',
    `(${YEAR})-([0-9]{2})-([0-9]{2})(?:T([0-9]{2}):([0-9]{2})(?::[0-9]{2}(?:\\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?${FIGURE_END}`,
    isoDate,
  ),
  rule(
    'digit',
    `([0-9]{1,2})(?:([/.-])([0-9]{1,2})\\2(${YEAR})|/([0-9]{1,2})/([0-9]{2}))${FIGURE_END}`,
    numericDate,
  ),
  rule(
    'digit',
    `(?<=\\b(?:on|by|until|before|after|from|due|through|since|to|of|for|${anyOf(DAY_NAMES)}|${SHORT_DAY}),? )([0-9]{1,2})/([0-9]{1,2})${FIGURE_END}`,
    ([, month, day]) => monthAndDay(month, day),
    'i',
  ),
  // "March 3-5": both ends are days.
  rule(
    'digit',
    `(?<=\\b${MONTH} )(${DAY})(?:st|nd|rd|th)?${DASH}(?=${DAY}(?:st|nd|rd|th)?(?![\\p{L}\\p{N}]))`,
    ([, day = '']) => `${ordinal(day)} to `,
  ),
  rule(
    'digit',
    `(?<=\\b${MONTH} (?:${DAY}(?:st|nd|rd|th)?${DASH})?)${DAY}${FIGURE_END}(?! ?(?:%|[ap]\\.?m\\b|percent|people))`,
    ([day]) => ordinal(day),
  ),
  rule(
    'digit',
    `(?<!\\bthe )(${DAY})(?:st|nd|rd|th)?(?= ${MONTH}(?![\\p{L}]))(?=.{4,13}(?:${YEAR}|[,.!?;)]|$))`,
    ([, day = '']) => `the ${ordinal(day)} of`,
  ),
  rule('letter', `(${SHORT_MONTH})(?= [0-9]{1,4}(?![0-9]))`, ([, month = '']) => fullMonth(month)),
  rule(
    'letter',
    `(?<=\\b${DAY}(?:st|nd|rd|th)? )(${SHORT_MONTH})(?= ${YEAR}|[,;!?)]|$)`,
    ([, month = '']) => fullMonth(month),
  ),
  rule('letter', `(${SHORT_DAY})\\.?(?=,? (?:${MONTH}(?!\\p{L})|[0-9]))`, ([, day = '']) =>
    fullDay(day),
  ),
  rule(
    'letter',
    `(${SHORT_DAY})\\.?${DASH}(?=${SHORT_DAY}(?!\\p{L}))`,
    ([, day = '']) => `${fullDay(day)} to `,
  ),
  rule('letter', `(?<=\\b${SHORT_DAY}\\.?${DASH})(${SHORT_DAY})(?!\\p{L})`, ([, day = '']) =>
    fullDay(day),
  ),
  rule('digit', `(${YEAR})[-–](?=(${YEAR})(?![\\p{L}\\p{N}]|-[0-9]))`, ([, from = '', to = '']) =>
    from < to ? `${year(from)} to ` : undefined,
  ),
  rule('digit', `(?<=\\b${YEAR}[-–])${YEAR}${FIGURE_END}`, ([digits]) => year(digits)),
  rule(
    'digit',
    `(?<=\\b${MONTH}(?: ${DAY}(?:st|nd|rd|th)?)?,? |\\b${BEFORE_YEAR}[ -])${YEAR}${FIGURE_END}${NOT_COUNTING}`,
    ([digits]) => year(digits),
    '',
  ),
  rule('digit', `${RECENT_YEAR}(?=['’]?s(?![\\p{L}\\p{N}]))['’]?s`, ([decade]) =>
    decadeName(decade),
  ),
  rule('symbol', `['’]([2-9]0)s(?![\\p{L}\\p{N}])`, ([, decade = '']) =>
    pluralNumber(cardinal(decade)),
  ),
  rule(
    'digit',
    `((?<=\\b(?:the|her|his|their|my|your|our|early|late|mid)[ -])[2-9]0|[6-9]0)['’]?s(?![\\p{L}\\p{N}])`,
    // "30s" may be seconds; "80s" seldom are.
    ([, decade = '']) => pluralNumber(cardinal(decade)),
    'i',
  ),
  rule(
    'symbol',
    `(?<=(?:\\b[Oo]f|${MONTH}(?: ${DAY}(?:st|nd|rd|th)?)?,?) )['’]([0-9]{2})${FIGURE_END}`,
    ([, digits = '']) => minutes(digits),
  ),
  rule(
    'symbol',
    `(?<=\\b${MONTH} ${DAY}(?:st|nd|rd|th)?( ?))[-–] ?(?=${MONTH} [0-9])`,
    ([, before]) => `${before === '' ? ' ' : ''}to `,
  ),
  // A bare figure of this century or the last, without comma, is a year more often than an amount.
  rule('digit', `(?<![$€£¥])${RECENT_YEAR}${FIGURE_END}${NOT_COUNTING}`, ([digits]) =>
    year(digits),
  ),
];

function isoDate([, yearDigits = '', month, day, hour, minute = '']: RegExpExecArray):
  | string
  | undefined {
  const date = monthAndDay(month, day);
  if (date === undefined) return undefined;
  const time =
    hour === undefined
      ? ''
      : ` at ${cardinal(hour)} ${minute === '00' ? 'hundred' : minutes(minute)}`;
  return `${date}, ${year(yearDigits)}${time}`;
}

function numericDate(match: RegExpExecArray): string | undefined {
  const [, first, , second = match[5], yearDigits = match[6] ?? ''] = match;
  const date = monthAndDay(first, second) ?? monthAndDay(second, first);
  // Two digits: the century that is nearer to the present.
  const fullYear =
    yearDigits.length === 2 ? `${Number(yearDigits) < 70 ? '20' : '19'}${yearDigits}` : yearDigits;
  return date === undefined ? undefined : `${date}, ${year(fullYear)}`;
}

function monthAndDay(month = '', day = ''): string | undefined {
  const name = monthName(Number(month));
  const inMonth = Number(day) >= 1 && Number(day) <= 31;
  return name !== undefined && inMonth ? `${name} ${ordinal(day)}` : undefined;
}

function fullDay(short: string): string {
  return DAY_NAMES.find((day) => day.startsWith(short.slice(0, 3))) ?? short;
}

/** "1990s" → "nineteen nineties", "2000s" → "two thousands". */
function decadeName(decade: string): string {
  return pluralNumber(year(decade.slice(0, 4)));
}
