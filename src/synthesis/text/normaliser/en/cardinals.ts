const ONES = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen ' +
  'sixteen seventeen eighteen nineteen'
).split(' ');
const TENS = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES =
  '- thousand million billion trillion quadrillion quintillion sextillion septillion octillion nonillion decillion'.split(
    ' ',
  );
const IRREGULAR_ORDINALS: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

/**
 * A whole number in American words ("105" → "one hundred five").
 *
 * @param digits ASCII digits, any count: beyond the named scales they are read one by one.
 */
export function cardinal(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, '');
  if (significant.length > 3 * SCALES.length) return digitByDigit(digits);
  const words: string[] = [];
  for (let end = significant.length, scale = 0; end > 0; end -= 3, scale++) {
    const group = Number(significant.slice(Math.max(0, end - 3), end));
    if (group === 0) continue;
    if (scale > 0) words.unshift(SCALES[scale] ?? '');
    words.unshift(belowThousand(group));
  }
  return words.length > 0 ? words.join(' ') : 'zero';
}

/** "21" → "twenty-first". */
export function ordinal(digits: string): string {
  return cardinal(digits).replace(/[a-z]+$/, (word) => {
    const irregular = IRREGULAR_ORDINALS[word];
    return irregular ?? (word.endsWith('y') ? `${word.slice(0, -1)}ieth` : `${word}th`);
  });
}

/** "2026" → "twenty twenty-six", "1905" → "nineteen oh five", "2005" → "two thousand five". */
export function year(digits: string): string {
  return /^[12]000$|^200\d$/.test(digits) ? cardinal(digits) : inPairs(digits);
}

/** How rooms, routes and house numbers are read: "305" → "three oh five", "1234" → "twelve thirty-four". */
export function inPairs(digits: string): string {
  if (digits.length < 3 || /^0|^.000$/.test(digits)) {
    return digits.startsWith('0') ? digitByDigit(digits) : cardinal(digits);
  }
  if (digits.length > 4) return digitByDigit(digits);
  const tail = digits.slice(-2);
  return `${cardinal(digits.slice(0, -2))} ${tail === '00' ? 'hundred' : minutes(tail)}`;
}

/** Two digits after a first figure, as in "3:05": "05" → "oh five". */
export function minutes(digits: string): string {
  return digits.startsWith('0') ? `oh ${cardinal(digits)}` : cardinal(digits);
}

/** "4821" → "four eight two one"; zero is "zero", never "oh", which sounds like the letter. */
export function digitByDigit(digits: string): string {
  return [...digits].map((digit) => ONES[Number(digit)]).join(' ');
}

/** The plural of a number word: "nineties", "twos". */
export function pluralNumber(words: string): string {
  if (words.endsWith('y')) return `${words.slice(0, -1)}ies`;
  return words.endsWith('x') ? `${words}es` : `${words}s`;
}

function belowThousand(value: number): string {
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  const words = hundreds > 0 ? [`${ONES[hundreds]} hundred`] : [];
  if (rest > 0) words.push(belowHundred(rest));
  return words.join(' ');
}

function belowHundred(value: number): string {
  if (value < 20) return ONES[value] ?? '';
  const unit = value % 10;
  return `${TENS[Math.floor(value / 10)]}${unit > 0 ? `-${ONES[unit]}` : ''}`;
}
