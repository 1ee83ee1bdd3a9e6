import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countCharacters } from '../../../src/domain/characters.ts';

describe('characters', () => {
  it.each([
    ['', 0],
    ['Hi.', 3],
    ['👍', 1],
    ['👍🏽', 2],
    ['e\u0301', 2],
    ['漢字', 2],
  ])('of %j are its code points', (text, count) => {
    expect(countCharacters(text)).toBe(count);
  });

  it('add up, however a text is split', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(), (text, place) => {
        const at = place % (text.length + 1);
        expect(countCharacters(text)).toBe([...text].length);
        expect(countCharacters(text.slice(0, at)) + countCharacters(text.slice(at))).toBe(
          countCharacters(text),
        );
      }),
    );
  });
});
