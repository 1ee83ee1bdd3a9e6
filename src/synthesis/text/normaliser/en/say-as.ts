import type { SayAs } from '../say-as.ts';
import { cardinal, digitByDigit, ordinal } from './cardinals.ts';
import { english } from './english.ts';
import { monthName } from './months.ts';
import { spokenGroups } from './numbers.ts';
import { spelled } from './spelling.ts';

/** What `<say-as>` asks for, in American words. */
export function sayInEnglish(text: string, { as, format }: SayAs): string {
  switch (as) {
    case 'characters':
      return spelled(text.replace(/[^\p{L}\p{N}]+/gu, ''));
    case 'digits':
      return eachFigure(text, digitByDigit);
    case 'cardinal':
      return eachFigure(text.replace(/(?<=\d),(?=\d)/g, ''), cardinal);
    case 'ordinal':
      return eachFigure(text.replace(/(?<=\d)(?:,(?=\d)|st|nd|rd|th)/gi, ''), ordinal);
    case 'telephone':
      return telephone(text);
    case 'date':
      return date(text, format);
    case 'time':
      return english.normalise(text).spoken;
  }
}

function eachFigure(text: string, read: (digits: string) => string): string {
  return text.replace(/\d+/g, (digits, at: number) => {
    const gap = /\d/.test(text.charAt(at - 1)) ? ' ' : '';
    return gap + read(digits);
  });
}

/** Grouped as it is written, or else as people say such numbers. */
function telephone(text: string): string {
  const read = english.normalise(text).spoken;
  if (!/\d/.test(read) && /,/.test(read)) return read;
  const groups = text.match(/\d+/g) ?? [];
  const words = groups.map(spokenGroups).join(', ');
  return text.trimStart().startsWith('+') ? `plus ${words}` : words;
}

/** @param format the order of day, month and year, such as `dmy` or `md`. */
function date(text: string, format: string): string {
  const figures = text.match(/\d+/g) ?? [];
  const order = [...format.toLowerCase().replace(/[^dmy]/g, '')];
  const parts = new Map(order.map((part, index) => [part, figures[index] ?? '']));
  const month = monthName(Number(parts.get('m')));
  if (order.length < 2 || figures.length !== order.length || !month) {
    return english.normalise(text).spoken;
  }
  const [day, year] = [parts.get('d'), parts.get('y')];
  const written = [month, ...(day ? [` ${Number(day)}`] : []), ...(year ? [`, ${year}`] : [])];
  return english.normalise(written.join('')).spoken;
}
