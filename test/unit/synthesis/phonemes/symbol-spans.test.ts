import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadSymbols } from '../../../../src/synthesis/phonemes/symbol-spans.ts';

describe('spreadSymbols', () => {
  it('shares letters among symbols', () => {
    expect(spreadSymbols('abcd', 2, 10)).toEqual({ starts: [10, 12], ends: [12, 14] });
    expect(spreadSymbols('ab', 4, 0)).toEqual({ starts: [0, 0, 1, 1], ends: [1, 1, 2, 2] });
  });

  it('keeps clusters whole', () => {
    expect(spreadSymbols('e\u0301👍🏽', 2, 0)).toEqual({ starts: [0, 2], ends: [2, 6] });
  });

  it('covers the word, in order', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.integer({ min: 1, max: 40 }),
        (text, count) => {
          const { starts, ends } = spreadSymbols(text, count, 0);
          expect(starts).toHaveLength(count);
          expect([starts[0], ends.at(-1)]).toEqual([0, text.length]);
          starts.forEach((start, index) => {
            expect(start).toBeLessThan(ends[index] ?? 0);
            if (index > 0) expect(start).toBeLessThanOrEqual(ends[index - 1] ?? 0);
          });
          expect(starts).toEqual(starts.toSorted((a, b) => a - b));
          expect(ends).toEqual(ends.toSorted((a, b) => a - b));
        },
      ),
    );
  });
});
