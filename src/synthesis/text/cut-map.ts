import { clusterBounds } from './grapheme-clusters.ts';
import type { TextMap, TextSegment } from './pronunciation.ts';

/**
 * Cuts a map at positions of its spoken text. A character of the original that is spoken across a
 * cut belongs to the part in which its sound starts. Linear in the text and the segments.
 *
 * @param cuts ascending UTF-16 indexes of `map.spoken`.
 * @returns one map more than there are cuts; their originals, joined, are the original, and so are
 *   their spoken texts.
 */
export function cutMap(map: TextMap, cuts: readonly number[]): TextMap[] {
  const parts = [...cuts, Number.POSITIVE_INFINITY].map((): TextSegment[] => []);
  let part = 0;
  for (const segment of map.segments) {
    let rest = segment;
    for (let cut = cuts[part]; cut !== undefined && cut < rest.spokenEnd; cut = cuts[part]) {
      const originalCut = originalPosition(map, rest, cut);
      if (cut > rest.spokenStart) {
        parts[part]?.push({ ...rest, originalEnd: originalCut, spokenEnd: cut });
        rest = { ...rest, originalStart: originalCut, spokenStart: cut };
      }
      part++;
    }
    parts[part]?.push(rest);
  }
  return parts.map((segments) => mapOf(map, segments));
}

/** Up to where in the original the sounds before a spoken position belong. */
function originalPosition({ original, spoken }: TextMap, segment: TextSegment, cut: number) {
  const { originalStart, originalEnd, spokenStart, spokenEnd } = segment;
  const written = original.slice(originalStart, originalEnd);
  if (written === spoken.slice(spokenStart, spokenEnd)) return originalStart + (cut - spokenStart);
  const share = (cut - spokenStart) / (spokenEnd - spokenStart);
  const started = Math.ceil(written.length * share);
  const bound = clusterBounds(written).find((index) => index >= started);
  return originalStart + (bound ?? written.length);
}

/** The part of a map that some neighbouring segments make, with indexes of its own. */
function mapOf({ original, spoken }: TextMap, segments: readonly TextSegment[]): TextMap {
  const [first] = segments;
  const last = segments.at(-1);
  if (!first || !last) return { original: '', spoken: '', segments: [] };
  const { originalStart, spokenStart } = first;
  return {
    original: original.slice(originalStart, last.originalEnd),
    spoken: spoken.slice(spokenStart, last.spokenEnd),
    segments: segments.map((segment) => ({
      originalStart: segment.originalStart - originalStart,
      originalEnd: segment.originalEnd - originalStart,
      spokenStart: segment.spokenStart - spokenStart,
      spokenEnd: segment.spokenEnd - spokenStart,
    })),
  };
}
