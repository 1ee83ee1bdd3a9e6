import { cutMap } from './cut-map.ts';
import type { PreparedChunk } from './front-end.ts';
import type { Pronunciation } from './pronunciation.ts';

/** What is synthesised in one go: a whole chunk, or a part of one that is too long for that. */
export interface ChunkPiece extends PreparedChunk {
  readonly startsChunk: boolean;
  readonly endsChunk: boolean;
}

/** A piece takes at least this share of what it may, so that there are few pieces. */
const SHORTEST_SHARE = 0.4;
const MARK = /^[.,:;?!]$/u;
/** Lengthens, colours or ties the sound before it, and is nothing by itself. */
const LEANS_ON_SOUND_BEFORE = /^[\p{M}\p{Lm}\p{Sk}ː]$/u;
const STRESS = /^[ˈˌ]$/u;

/**
 * Cuts a chunk into pieces of so many symbols at most: after a clause's mark where there is one,
 * else between two words, else between two sounds. The pieces, joined, are the chunk, but for the
 * space symbols at the cuts. The result depends on the chunk alone. Linear in the symbols.
 *
 * @param maxSymbols at least 4.
 */
export function cutChunk(chunk: PreparedChunk, maxSymbols: number): readonly ChunkPiece[] {
  const { pronunciation, map } = chunk;
  const starts = pieceStarts(pronunciation.symbols, maxSymbols);
  if (starts.length === 1) return [{ ...chunk, startsChunk: true, endsChunk: true }];
  const cuts = spokenCuts(pronunciation, starts);
  const maps = cutMap(map, cuts);
  return starts.map((from, index) => ({
    pronunciation: piecePronunciation(
      pronunciation,
      { from, to: starts[index + 1] },
      { start: cuts[index - 1] ?? 0, end: cuts[index] ?? pronunciation.spoken.length },
    ),
    map: maps[index] ?? map,
    startsChunk: index === 0,
    endsChunk: index === starts.length - 1,
  }));
}

/** @returns the index of each piece's first symbol. */
function pieceStarts(symbols: readonly string[], maxSymbols: number): readonly number[] {
  const starts = [0];
  for (let from = 0; symbols.length - from > maxSymbols; ) {
    from = nextStart(symbols, from, maxSymbols);
    starts.push(from);
  }
  return starts;
}

function nextStart(symbols: readonly string[], from: number, maxSymbols: number): number {
  const leastSymbols = Math.ceil(SHORTEST_SHARE * maxSymbols);
  const shortest = from + leastSymbols;
  const longest = Math.min(from + maxSymbols, symbols.length - leastSymbols);
  const isWordStart = (index: number) => symbols[index - 1] === ' ';
  const isClauseStart = (index: number) =>
    isWordStart(index) && MARK.test(symbols[index - 2] ?? '');
  const isSoundStart = (index: number) =>
    !LEANS_ON_SOUND_BEFORE.test(symbols[index] ?? '') && !STRESS.test(symbols[index - 1] ?? '');
  // The space before a word is no part of a piece, so a word may start one symbol later.
  return (
    lastIndex(shortest, longest + 1, isClauseStart) ??
    lastIndex(shortest, longest + 1, isWordStart) ??
    lastIndex(shortest, longest, isSoundStart) ??
    longest
  );
}

function lastIndex(
  from: number,
  to: number,
  isWanted: (index: number) => boolean,
): number | undefined {
  for (let index = to; index >= from; index--) if (isWanted(index)) return index;
  return undefined;
}

/** A character that symbols on both sides of a cut voice belongs to the piece before it. */
function spokenCuts(
  { symbols, starts, ends }: Pronunciation,
  pieces: readonly number[],
): readonly number[] {
  let symbol = 0;
  let voicedEnd = 0;
  return pieces.slice(1).map((piece) => {
    for (; symbol < lastSymbolEnd(symbols, piece); symbol++) {
      voicedEnd = Math.max(voicedEnd, ends[symbol] ?? 0);
    }
    return Math.max(voicedEnd, starts[piece] ?? 0);
  });
}

/** Where the symbols end of a piece that another follows: the space between the two is in neither. */
function lastSymbolEnd(symbols: readonly string[], nextPiece: number): number {
  return symbols[nextPiece - 1] === ' ' ? nextPiece - 1 : nextPiece;
}

function piecePronunciation(
  { spoken, symbols, starts, ends }: Pronunciation,
  { from, to }: { readonly from: number; readonly to: number | undefined },
  { start, end }: { readonly start: number; readonly end: number },
): Pronunciation {
  const last = to === undefined ? symbols.length : lastSymbolEnd(symbols, to);
  const within = (position: number) => Math.min(Math.max(position, start), end) - start;
  const pieceEnds = ends.slice(from, last).map(within);
  // What lies behind the last symbol is voiced by it.
  pieceEnds[pieceEnds.length - 1] = end - start;
  return {
    spoken: spoken.slice(start, end),
    symbols: symbols.slice(from, last),
    starts: starts.slice(from, last).map(within),
    ends: pieceEnds,
  };
}
