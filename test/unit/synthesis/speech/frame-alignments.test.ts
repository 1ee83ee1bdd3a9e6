import { describe, expect, it } from 'vitest';
import {
  FrameAlignments,
  joinAlignments,
} from '../../../../src/synthesis/speech/frame-alignments.ts';

const times = {
  chars: ['H', 'i', '!', ' '],
  charStartTimesMs: [0, 100, 250, 400],
  charDurationsMs: [100, 150, 150, 0],
};
const chunk = { original: times, spoken: times };

describe('FrameAlignments', () => {
  it('gives the first frame the whole chunk, on the chunk’s own clock', () => {
    const alignments = new FrameAlignments('chunk', chunk, 9_000);
    expect(alignments.next(93)).toEqual(chunk);
    expect(alignments.next(279)).toBeUndefined();
    expect(alignments.next(Number.POSITIVE_INFINITY)).toBeUndefined();
  });

  it('gives each frame its own characters, on the context’s clock, when synchronised', () => {
    const alignments = new FrameAlignments('synchronised', chunk, 9_000);
    expect(alignments.next(93)?.original).toEqual({
      chars: ['H'],
      charStartTimesMs: [9_000],
      charDurationsMs: [100],
    });
    expect(alignments.next(200)?.original.chars).toEqual(['i']);
    expect(alignments.next(240)).toBeUndefined();
    expect(alignments.next(Number.POSITIVE_INFINITY)?.original).toEqual({
      chars: ['!', ' '],
      charStartTimesMs: [9_250, 9_400],
      charDurationsMs: [150, 0],
    });
  });

  it('deals every character out once, wherever the frames end', () => {
    for (const ends of [[1e9], [50, 100, 150, 250, 251, 400, 1e9], [400, 1e9]]) {
      const alignments = new FrameAlignments('synchronised', chunk, 0);
      const dealt = ends.flatMap((end) => alignments.next(end)?.original.chars ?? []);
      expect(dealt).toEqual(times.chars);
    }
  });
});

describe('joinAlignments', () => {
  it('puts the times of the second stretch after those of the first', () => {
    const { original, spoken } = joinAlignments(chunk, chunk) ?? chunk;
    expect(original.chars.join('')).toBe('Hi! Hi! ');
    expect(spoken.charStartTimesMs).toEqual([0, 100, 250, 400, 0, 100, 250, 400]);
    expect(spoken.charDurationsMs).toHaveLength(8);
  });

  it('is the one when there is only one', () => {
    expect(joinAlignments(chunk, undefined)).toBe(chunk);
    expect(joinAlignments(undefined, chunk)).toBe(chunk);
    expect(joinAlignments(undefined, undefined)).toBeUndefined();
  });
});
