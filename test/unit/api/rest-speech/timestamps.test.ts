import { describe, expect, it } from 'vitest';
import { wholeAlignment, wireTimestamps } from '../../../../src/api/rest-speech/timestamps.ts';

const NONE = { chars: [], charStartTimesMs: [], charDurationsMs: [] };
const HI = { chars: ['h', 'i'], charStartTimesMs: [0, 80], charDurationsMs: [80, 45] };
const THERE = { chars: [' '], charStartTimesMs: [125], charDurationsMs: [1000] };

describe('timestamps', () => {
  it('are starts and ends in seconds', () => {
    expect(wireTimestamps({ original: HI, spoken: THERE })).toEqual({
      alignment: {
        characters: ['h', 'i'],
        character_start_times_seconds: [0, 0.08],
        character_end_times_seconds: [0.08, 0.125],
      },
      normalized_alignment: {
        characters: [' '],
        character_start_times_seconds: [0.125],
        character_end_times_seconds: [1.125],
      },
    });
  });

  it('are null where no character starts', () => {
    const nothing = { alignment: null, normalized_alignment: null };
    expect(wireTimestamps(undefined)).toEqual(nothing);
    expect(wireTimestamps({ original: NONE, spoken: NONE })).toEqual(nothing);
    expect(wireTimestamps({ original: HI, spoken: NONE }).normalized_alignment).toBeNull();
  });

  it('of pieces are those of the whole', () => {
    expect(wholeAlignment([])).toBeUndefined();
    expect(
      wholeAlignment([
        { original: HI, spoken: NONE },
        { original: THERE, spoken: HI },
      ]),
    ).toEqual({
      original: {
        chars: ['h', 'i', ' '],
        charStartTimesMs: [0, 80, 125],
        charDurationsMs: [80, 45, 1000],
      },
      spoken: HI,
    });
  });
});
