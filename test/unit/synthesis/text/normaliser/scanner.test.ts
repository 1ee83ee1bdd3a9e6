import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rule } from '../../../../../src/synthesis/text/normaliser/rule.ts';
import { ruleNormaliser } from '../../../../../src/synthesis/text/normaliser/scanner.ts';

const spoken = (text: string, ...rules: Parameters<typeof ruleNormaliser>[1]) =>
  ruleNormaliser('xx', rules).normalise(text).spoken;

describe('ruleNormaliser', () => {
  it('lets the first rule that speaks win, and passes on what a rule declines', () => {
    const declines = rule('digit', '[0-9]{1,3}', () => undefined);
    const first = rule('digit', '[0-9]{1,3}', () => 'first');
    const second = rule('digit', '[0-9]{1,3}', () => 'second');
    expect(spoken('a 12 b', declines, first, second)).toBe('a first b');
  });

  it('tries a rule only where a stretch starts', () => {
    const letterB = rule('letter', 'b', () => 'X');
    expect(spoken("ab b-b b5 it'b _b éb", letterB)).toBe("ab X-X X5 it'b _b éb");
  });

  it('leaves a figure that no rule reads alone as a whole', () => {
    const lone = rule('digit', '[0-9](?![.])', () => 'X');
    expect(spoken('1.2.3 4', lone)).toBe('1.2.3 X');
  });

  it('keeps surrogate pairs whole', () => {
    expect(
      spoken(
        '😀b',
        rule('symbol', '\\u{1F600}', () => ''),
      ),
    ).toBe('b');
  });

  it('keeps one identity segment where a rule speaks what is written', () => {
    const same = ruleNormaliser('xx', [rule('letter', 'ab', () => 'ab')]).normalise('ab ab');
    expect(same.segments).toEqual([
      { originalStart: 0, originalEnd: 5, spokenStart: 0, spokenEnd: 5 },
    ]);
  });

  it('tries each rule at most once a character, whatever the text', () => {
    let attempts = 0;
    const count = () => {
      attempts++;
      return undefined;
    };
    const counting = ruleNormaliser('xx', [
      rule('digit', '(?=.)', count),
      rule('letter', '(?=.)', count),
      rule('symbol', '(?=.)', count),
    ]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        attempts = 0;
        counting.normalise(text);
        expect(attempts).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
