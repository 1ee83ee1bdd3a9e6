import type { WindowSchedule } from '../engine.ts';
import { KOKORO_IDS } from './vocabulary.ts';

/** A stretch of a chunk's ids that the model speaks in one go: `ids.slice(start, end)`. */
export interface KokoroPiece {
  readonly start: number;
  readonly end: number;
  readonly ending: PieceEnding;
}

/** How a piece ends: with a sentence, at another mark, or between two words of a clause. */
export type PieceEnding = 'sentence' | 'clause' | 'word';

/** What the model reads at once, pads aside: the rows of a style. */
export const MAX_PIECE_IDS = 510;
/**
 * Ids of the longest first piece, by how much of it somebody waits for. Pads cost as much as ten ids, so
 * that shorter ones are hardly heard sooner, and sound like lists.
 */
const FIRST_PIECE_IDS = { eager: 18, patient: 120 };
/** Windows that begin with fewer frames than this are asked for by those who wait for every word. */
const EAGER_FRAMES = 32;
/** Each piece lasts this much longer than the one before: it is computed while that one is played. */
const GROWTH = 1.7;
/** Longer ones would keep other listeners waiting. A sentence of ten seconds. */
const LONGEST_USUAL_IDS = 160;

const MARKS: ReadonlyMap<number | undefined, PieceEnding> = new Map([
  ...marks('.!?', 'sentence'),
  ...marks(',;:—…', 'clause'),
]);
const SPACE = KOKORO_IDS.get(' ');

/**
 * Cuts a chunk into what the model speaks in one go: after the last mark within the limit, else at a space
 * between words, which belongs to no piece. Depends on the ids and the schedule alone, so that speech
 * repeats.
 */
export function planPieces(
  ids: readonly number[],
  windows: WindowSchedule,
): readonly KokoroPiece[] {
  const isEager = (windows[0] ?? 0) < EAGER_FRAMES;
  let limit = isEager ? FIRST_PIECE_IDS.eager : FIRST_PIECE_IDS.patient;
  const pieces: KokoroPiece[] = [];
  let start = skipSpaces(ids, 0);
  while (start < ids.length) {
    const end = pieceEnd(ids, start, limit);
    pieces.push({ start, end, ending: MARKS.get(ids[end - 1]) ?? 'word' });
    limit = Math.min(Math.floor(Math.max(limit, end - start) * GROWTH), LONGEST_USUAL_IDS);
    start = skipSpaces(ids, end);
  }
  return pieces;
}

function pieceEnd(ids: readonly number[], start: number, limit: number): number {
  // What is hardly longer than the limit is not worth a break.
  if (ids.length - start <= limit * 1.25) return trimEnd(ids, ids.length);
  const within = ids.slice(start, start + limit);
  const mark = within.findLastIndex((id) => MARKS.has(id));
  // After a mark near the beginning there would be next to nothing to say.
  if (mark >= limit / 3) return start + mark + 1;
  const space = within.lastIndexOf(SPACE ?? -1);
  if (space > 0) return start + space;
  const nextSpace = ids.indexOf(SPACE ?? -1, start + limit);
  return Math.min(nextSpace < 0 ? ids.length : nextSpace, start + MAX_PIECE_IDS);
}

function skipSpaces(ids: readonly number[], start: number): number {
  let index = start;
  while (ids[index] === SPACE) index++;
  return index;
}

function trimEnd(ids: readonly number[], end: number): number {
  let index = end;
  while (ids[index - 1] === SPACE) index--;
  return index;
}

function marks(symbols: string, ending: PieceEnding) {
  return [...symbols].map((symbol) => [KOKORO_IDS.get(symbol), ending] as const);
}
