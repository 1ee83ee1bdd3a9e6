import { describe, expect, it } from 'vitest';
import { spokenSurplus } from '../../../../src/synthesis/speech/spoken-surplus.ts';

describe('what a chunk costs beyond its characters', () => {
  it.each([
    ['prose', 120, 140],
    ['₹1,00,000', 9, 16],
    ['100%', 4, 22],
    ['400 signs of nine symbols each', 400, 3600],
    ['a short name that is written out', 3, 60],
    ['nothing', 0, 0],
  ])('is nothing for %s', (_, characters, symbols) => {
    expect(spokenSurplus(characters, symbols)).toBe(0);
  });

  it('is every symbol beyond that: a dictionary that makes hundreds of a few is not free', () => {
    expect(spokenSurplus(19, 2019)).toBe(2019 - 50 - 190);
  });
});
