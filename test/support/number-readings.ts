const ONES = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
  ...['eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen'],
  'nineteen',
];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const SCALES = ['', ' thousand', ' million', ' billion'];

const IRREGULAR_ORDINALS: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

/** A numeral in running text: `$42.50`, `3:15`, `3rd`, `1,200`, `7%`. */
export const NUMERAL = /\$?\d[\d,]*(?:[.:]\d+)?(?:st|nd|rd|th|%)?(?![a-z\d])/g;

/**
 * The ways that an English speaker may say a numeral, all lower case without punctuation, the most
 * usual first. A recogniser writes numbers in digits or in words as it pleases; comparing readings
 * keeps that choice from counting as an error.
 * @param numeral text that matches {@link NUMERAL}.
 */
export function numberReadings(numeral: string): string[] {
  const bare = numeral.replaceAll(/[$,%]/g, '').replace(/(st|nd|rd|th)$/, '');
  const [whole = '', part] = bare.split(/[.:]/);
  const said = readingsOf(numeral, whole, part);
  return [...new Set(said.flatMap((reading) => [reading, reading.replaceAll(' and ', ' ')]))];
}

function readingsOf(numeral: string, whole: string, part: string | undefined): string[] {
  if (/(st|nd|rd|th)$/.test(numeral)) return [ordinal(whole)];
  if (numeral.startsWith('$')) return dollarReadings(whole, part);
  if (numeral.endsWith('%')) return integerOrDecimal(whole, part).map((said) => `${said} percent`);
  if (numeral.includes(':')) return pairReadings(whole, part ?? '');
  return integerOrDecimal(whole, part);
}

function integerOrDecimal(whole: string, part: string | undefined): string[] {
  if (part !== undefined) {
    const exact = `${cardinal(whole)} point ${digits(part)}`;
    return part.length === 2 ? [exact, ...pairReadings(whole, part)] : [exact];
  }
  const readings = [cardinal(whole), digits(whole)];
  if (whole.length === 4 && !whole.startsWith('0')) {
    readings.push(...pairReadings(whole.slice(0, 2), whole.slice(2)));
  }
  return readings;
}

function dollarReadings(whole: string, part: string | undefined): string[] {
  const dollars = `${cardinal(whole)} ${whole === '1' ? 'dollar' : 'dollars'}`;
  if (part === undefined || Number(part) === 0) return [dollars];
  const cents = `${cardinal(part)} ${Number(part) === 1 ? 'cent' : 'cents'}`;
  return [`${dollars} and ${cents}`, ...pairReadings(whole, part)];
}

/** `3:15`, `42.50` and `1905` said as two numbers: "three fifteen", "nineteen zero five". */
function pairReadings(first: string, second: string): string[] {
  const head = cardinal(first);
  if (Number(second) === 0) return [head, `${head} oclock`, `${head} hundred`];
  if (second.startsWith('0')) return [`${head} ${digits(second)}`];
  return [`${head} ${cardinal(second)}`];
}

function digits(text: string): string {
  return Array.from(text, (digit) => ONES[Number(digit)]).join(' ');
}

function ordinal(text: string): string {
  const words = cardinal(text).split(' ');
  const last = words.pop() ?? '';
  const ending = IRREGULAR_ORDINALS[last] ?? `${last.replace(/t$/, '').replace(/y$/, 'ie')}th`;
  return [...words, ending].join(' ');
}

function cardinal(text: string): string {
  let rest = Number(text);
  if (rest === 0) return 'zero';
  const groups: string[] = [];
  for (let scale = 0; rest > 0 && scale < SCALES.length; scale += 1) {
    const group = rest % 1000;
    if (group > 0) groups.unshift(`${belowThousand(group)}${SCALES[scale]}`);
    rest = Math.floor(rest / 1000);
  }
  return groups.join(' ');
}

function belowThousand(value: number): string {
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  if (hundreds === 0) return belowHundred(rest);
  const head = `${ONES[hundreds]} hundred`;
  return rest === 0 ? head : `${head} and ${belowHundred(rest)}`;
}

function belowHundred(value: number): string {
  if (value < 20) return ONES[value] ?? '';
  const ten = TENS[Math.floor(value / 10)] ?? '';
  return value % 10 === 0 ? ten : `${ten} ${ONES[value % 10]}`;
}
