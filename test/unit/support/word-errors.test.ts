import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWordErrors, spokenWords, wordErrorRate } from '../../support/word-errors.ts';

describe('wordErrorRate', () => {
  it.each([
    ['the fee is $42.50', 'The fee is forty-two dollars and fifty cents.'],
    ['the fee is $42.50', 'the fee is forty two fifty'],
    ['the fee is 42.50', 'the fee is forty two point five zero'],
    ['$1.01 or $1', 'one dollar and one cent, or one dollar'],
    ['at 3:15 pm', 'At three fifteen P.M.'],
    ['at 3.15 p.m.', 'at 3:15pm'],
    ['at 10:05', 'at ten oh five'],
    ['on March 3rd', 'on March third'],
    ['on March 3rd', 'on March 3'],
    ['on May 12', 'on May twelfth'],
    ['on the 21st', 'on the twenty-first'],
    ['the 30th', 'the thirtieth'],
    ['1,205 people', 'one thousand two hundred and five people'],
    ['in 1905', 'in nineteen oh five'],
    ['in 2026', 'in twenty twenty six'],
    ['call 555-0142', 'call five five five, zero one four two'],
    ['7% of 3,000,000', 'seven percent of three million'],
    ['I’m sure it’s OK', 'I am sure it is okay'],
    ['we can’t and won’t', 'we cannot, and will not'],
    ['tomorrow by e-mail', 'To-morrow, by email'],
  ])('takes %j and %j for the same words', (one, other) => {
    expect(wordErrorRate(one, other)).toBe(0);
    expect(wordErrorRate(other, one)).toBe(0);
  });

  it.each([
    ['the fee is $42.50', 'the fee is $45.50', 1],
    ['on March 3rd', 'on March 13th', 1],
    ['at 3:15 pm', 'at 3:50 pm', 1],
    ['glue the sheet', 'blue sheet', 2],
    ['one two three', '', 3],
    ['yes', 'oh yes please', 2],
  ])('between %j and %j counts %j', (reference, hypothesis, errors) => {
    expect(countWordErrors(reference, hypothesis).errors).toBe(errors);
  });

  it('divides by the words of the reference', () => {
    expect(wordErrorRate('glue the sheet to the wall', 'blue the sheet to wall')).toBeCloseTo(
      2 / 6,
    );
    expect(wordErrorRate('', '')).toBe(0);
    expect(wordErrorRate('', 'hum')).toBe(1);
  });

  it('is an edit distance: symmetric, zero on itself, at most every word', () => {
    const text = fc.stringMatching(/^[a-c 0-9$.:]{0,12}$/);
    fc.assert(
      fc.property(text, text, (one, other) => {
        const { errors } = countWordErrors(one, other);
        expect(countWordErrors(other, one).errors).toBe(errors);
        expect(countWordErrors(one, one).errors).toBe(0);
        const most = Math.max(spokenWords(one).length, spokenWords(other).length);
        expect(errors).toBeLessThanOrEqual(most);
      }),
    );
  });
});
