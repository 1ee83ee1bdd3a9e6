import type { Grade } from './boundary-scanner.ts';

/** A boundary with the length of the chunk that it would end, in the policy's measure. */
export interface MeasuredBoundary {
  readonly position: number;
  readonly grade: Grade;
  readonly length: number;
}

/**
 * The share of the waiting text that a chunk must take to end at each kind of boundary, best kind
 * first. A sentence's end is worth the shortest chunk; and because every chunk takes a fixed share,
 * a text is looked through a bounded number of times.
 */
const SHARES: ReadonlyArray<readonly [Grade, number]> = [
  ['sentence', 0.4],
  ['clause', 0.5],
  ['phrase', 0.6],
  ['word', 0.6],
  ['word', 0.3],
  ['weak', 0.3],
];

/** @returns the last boundary of the best kind there is, or undefined if all come too early. */
export function bestBoundary(
  boundaries: readonly MeasuredBoundary[],
  waiting: number,
): MeasuredBoundary | undefined {
  for (const [grade, share] of SHARES) {
    const found = boundaries.findLast(
      (one) => one.grade === grade && one.length >= share * waiting,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
