import { expect, it } from 'vitest';
import {
  ROMAN_NUMERAL,
  romanValue,
} from '../../../../../src/synthesis/text/normaliser/roman-numerals.ts';

const whole = new RegExp(`^${ROMAN_NUMERAL}$`);

it.each([
  ['I', 1],
  ['IV', 4],
  ['VIII', 8],
  ['IX', 9],
  ['XIV', 14],
  ['XXXIX', 39],
])('%s is %i', (numeral, value) => {
  expect(numeral).toMatch(whole);
  expect(romanValue(numeral)).toBe(value);
});

it.each(['', 'IIII', 'VX', 'IC', 'XXXX'])('%j is none', (text) => expect(text).not.toMatch(whole));
