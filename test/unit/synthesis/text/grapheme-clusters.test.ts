import { describe, expect, it } from 'vitest';
import { clusterBounds } from '../../../../src/synthesis/text/grapheme-clusters.ts';

describe('clusterBounds', () => {
  it.each([
    ['', [0]],
    ['ab', [0, 1, 2]],
    ['a\r\nb', [0, 1, 3, 4]],
    ['e\u0301x', [0, 2, 3]],
    ['👨‍👩‍👧!', [0, 8, 9]],
    ['नमस्ते', [0, 1, 2, 6]],
    ['\ud83dx', [0, 1, 2]],
  ])('%j: %j', (text, expected) => {
    expect(clusterBounds(text)).toEqual(expected);
  });
});
