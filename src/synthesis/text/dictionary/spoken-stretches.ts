import type { TextMap, TextSegment } from '../pronunciation.ts';

/** UTF-16 indexes, half-open. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Where stretches of the original are in the spoken text.
 *
 * @param stretches in order, without overlap.
 * @returns undefined when one of them is not spoken by itself: it is a part of what the map replaces
 *   as a whole, or it is not spoken at all.
 */
export function spokenStretches(
  map: TextMap,
  stretches: readonly TextRange[],
): readonly TextRange[] | undefined {
  const parts = map.segments.map((segment) => ({ ...segment, isKept: isKept(map, segment) }));
  const found: TextRange[] = [];
  let part = 0;
  for (const { start, end } of stretches) {
    while (isBefore(parts[part], start)) part += 1;
    const spokenStart = positionIn(parts[part], start);
    while (isBefore(parts[part], end)) part += 1;
    const spokenEnd = parts[part] ? positionIn(parts[part], end) : map.spoken.length;
    if (spokenStart === undefined || spokenEnd === undefined || spokenEnd <= spokenStart) {
      return undefined;
    }
    found.push({ start: spokenStart, end: spokenEnd });
  }
  return found;
}

interface Part extends TextSegment {
  readonly isKept: boolean;
}

function isKept({ original, spoken }: TextMap, segment: TextSegment): boolean {
  const { originalStart, originalEnd, spokenStart, spokenEnd } = segment;
  return original.slice(originalStart, originalEnd) === spoken.slice(spokenStart, spokenEnd);
}

function isBefore(part: Part | undefined, position: number): boolean {
  return part !== undefined && part.originalEnd <= position;
}

/** @param part that holds a position of the original, or starts at it. */
function positionIn(part: Part | undefined, position: number): number | undefined {
  if (position === part?.originalStart) return part.spokenStart;
  return part?.isKept ? part.spokenStart + (position - part.originalStart) : undefined;
}
