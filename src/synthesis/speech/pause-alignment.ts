import type { ChunkAlignment } from '../text/alignment.ts';
import { clusterBounds } from '../text/grapheme-clusters.ts';

/**
 * The times of a pause that the text asks for: the characters of its tag share it, as they stand in
 * the text as sent; in the text as spoken a space does.
 */
export function alignPause(written: string, durationMs: number): ChunkAlignment {
  const bounds = clusterBounds(written);
  const count = bounds.length - 1;
  const startOf = (index: number) => Math.round((index * durationMs) / count);
  const chars = bounds.slice(1).map((end, index) => written.slice(bounds[index], end));
  return {
    original: {
      chars,
      charStartTimesMs: chars.map((_, index) => startOf(index)),
      charDurationsMs: chars.map((_, index) => startOf(index + 1) - startOf(index)),
    },
    spoken: { chars: [' '], charStartTimesMs: [0], charDurationsMs: [durationMs] },
  };
}
