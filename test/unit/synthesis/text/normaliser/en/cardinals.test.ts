import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cardinal,
  digitByDigit,
  inPairs,
  ordinal,
  pluralNumber,
  year,
} from '../../../../../../src/synthesis/text/normaliser/en/cardinals.ts';

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES = 'thousand million billion trillion quadrillion quintillion'.split(' ');

/** The number that the words mean, read the way a listener adds them up. */
function meaning(words: string): bigint {
  let total = 0n;
  let group = 0n;
  for (const word of words.split(/[ -]/)) {
    const scale = SCALES.indexOf(word);
    if (scale >= 0) {
      total += group * 1000n ** BigInt(scale + 1);
      group = 0n;
    } else if (word === 'hundred') {
      group *= 100n;
    } else {
      const one = ONES.indexOf(word);
      group += BigInt(one >= 0 ? one : 20 + 10 * TENS.indexOf(word));
    }
  }
  return total + group;
}

describe('cardinal', () => {
  it('names the number that it was given', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 21n - 1n }), (value) => {
        expect(meaning(cardinal(String(value)))).toBe(value);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['000', 'zero'],
    ['0012', 'twelve'],
    ['1000000000000000000000000000000000', 'one decillion'],
    ['1'.repeat(37), Array(37).fill('one').join(' ')],
  ])('%s → %s', (digits, words) => expect(cardinal(digits)).toBe(words));
});

describe('other readings', () => {
  it.each([
    [ordinal, '1', 'first'],
    [ordinal, '12', 'twelfth'],
    [ordinal, '30', 'thirtieth'],
    [ordinal, '42', 'forty-second'],
    [ordinal, '100', 'one hundredth'],
    [year, '1066', 'ten sixty-six'],
    [year, '1900', 'nineteen hundred'],
    [year, '2000', 'two thousand'],
    [year, '2009', 'two thousand nine'],
    [year, '2010', 'twenty ten'],
    [inPairs, '7', 'seven'],
    [inPairs, '305', 'three oh five'],
    [inPairs, '100', 'one hundred'],
    [inPairs, '1000', 'one thousand'],
    [inPairs, '012', 'zero one two'],
    [inPairs, '12345', 'one two three four five'],
    [digitByDigit, '407', 'four zero seven'],
    [pluralNumber, 'ninety', 'nineties'],
    [pluralNumber, 'ten', 'tens'],
  ])('%o reads %s as %s', (read, digits, words) => expect(read(digits)).toBe(words));
});
