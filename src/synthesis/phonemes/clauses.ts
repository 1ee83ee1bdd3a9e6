import { type Lexicon, lexiconOf } from '../text/chunker/language-words.ts';

/** A stretch of text that is phonemised at once: `text[start, end)`, its closing mark included. */
export interface Clause {
  readonly start: number;
  readonly end: number;
  /** Absent when the text, or a clause too long to phonemise at once, just stops. */
  readonly mark: ClauseMark | undefined;
}

/** Punctuation that a voice hears: a pause and a turn of its melody. */
export interface ClauseMark {
  /** The model's symbol for it. */
  readonly symbol: MarkSymbol;
  readonly start: number;
  readonly end: number;
}

export type MarkSymbol = '.' | ',' | '?' | '!' | ':' | ';';

/** espeak-ng's clause types by character (`ucd-tools/src/proplist.c`); dashes count as semicolons. */
const MARKS: ReadonlyArray<readonly [MarkSymbol, string]> = [
  ['.', '.。｡．।॥۔։።།'],
  [',', ',،、､，﹐՝፣'],
  ['?', '?？؟\u037e﹖⁇⁈⁉‽'],
  ['!', '!！﹗‼'],
  [':', ':：﹕'],
  [';', ';；؛﹔—–…⋯'],
];
const SYMBOL = new Map(
  MARKS.flatMap(([symbol, characters]) => [...characters].map((one) => [one, symbol] as const)),
);

/** A run of marks with what combines with its last one, or the blank line between paragraphs. */
const MARK_RUN = new RegExp(
  `\\n[^\\S\\n]*\\n\\s*|[${[...SYMBOL.keys()].join('')}]+[\\p{M}\\u200d]*`,
  'gu',
);
/** Marks that end a clause without a space after them; after the others "3:15" and "a.com" go on. */
const NEEDS_NO_SPACE = /[。｡．।։།、､，？！：；…⋯]|\.{3}/u;
const BREAK_AFTER = /[\s()[\]{}<>"'`«»《》\u2018-\u201f」』】）]/u;
const CLOSERS = /[\s)\]}>"'`»\u2019\u201d」』】）]*/uy;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const LAST_WORD = /[\p{L}\p{M}\p{N}.]+$/u;
const LONGEST_ABBREVIATION = 24;
/** UTF-16 units. espeak-ng's own buffer holds 800 bytes of a clause. */
const LONGEST_CLAUSE = 400;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Finds the clauses of a text as espeak-ng's ReadClause does, so that the model hears the
 * punctuation it was trained on: a mark counts where a space, a bracket or the end follows it and
 * where letters or digits precede it; a dot counts unless a small letter follows. Beyond espeak-ng,
 * the dots of known abbreviations, initials and German ordinals do not count. Linear time.
 *
 * @param language the phonemiser's voice name, such as `en-us`.
 */
export function splitClauses(text: string, language: string): readonly Clause[] {
  const lexicon = lexiconOf(language);
  const clauses: Clause[] = [];
  let start = skipSpace(text, 0);
  let checked = start;
  let isSpoken = false;
  for (const match of text.matchAll(MARK_RUN)) {
    const [run] = match;
    if (match.index < start) continue;
    isSpoken ||= LETTER_OR_DIGIT.test(text.slice(checked, match.index));
    const end = match.index + run.length;
    checked = end;
    const symbol = isSpoken ? endingSymbol(text, match.index, run, lexicon) : undefined;
    if (symbol === undefined) continue;
    pushPieces(clauses, text, start, { start: match.index, end, symbol });
    start = skipSpace(text, end);
    isSpoken = false;
  }
  if (start < text.length) pushPieces(clauses, text, start, undefined);
  return clauses;
}

/** @returns the symbol with which a run of marks ends a clause; undefined where it ends none. */
function endingSymbol(
  text: string,
  start: number,
  run: string,
  lexicon: Lexicon,
): MarkSymbol | undefined {
  if (run.startsWith('\n')) return '.';
  const next = text[start + run.length];
  if (next !== undefined && !BREAK_AFTER.test(next) && !NEEDS_NO_SPACE.test(run)) return undefined;
  const dots = /^[.…⋯]*/u.exec(run)?.[0] ?? '';
  // In "etc.," and "what…?" it is the mark after the dots that ends the clause.
  const decisive = SYMBOL.get(run[dots.length] ?? '');
  if (decisive !== undefined) return decisive;
  if (dots !== '.') return text.slice(start + run.length).trim() === '' ? '.' : ';';
  return isSentenceDot(text, start, lexicon) ? '.' : undefined;
}

function isSentenceDot(text: string, dot: number, lexicon: Lexicon): boolean {
  CLOSERS.lastIndex = dot + 1;
  const between = CLOSERS.exec(text)?.[0] ?? '';
  const nextCode = text.codePointAt(dot + 1 + between.length);
  if (nextCode === undefined || between.includes('\n')) return true;
  const next = String.fromCodePoint(nextCode);
  if (/\p{Ll}/u.test(next)) return false;
  const word = LAST_WORD.exec(text.slice(Math.max(0, dot - LONGEST_ABBREVIATION), dot))?.[0] ?? '';
  const reading = lexicon.abbreviations.get(word.toLowerCase());
  if (reading === 'beforeName') return false;
  if (reading === 'beforeNumber') return !/\p{N}/u.test(next);
  if (reading === undefined && /^\p{Lu}$/u.test(word)) return false;
  return !(lexicon.ordinals === 'before-any' && /^\d{1,2}$/u.test(word));
}

/** Adds a clause, in pieces when it is too long for one. */
function pushPieces(
  clauses: Clause[],
  text: string,
  start: number,
  mark: ClauseMark | undefined,
): void {
  const end = mark?.end ?? text.length;
  const body = text.slice(start, mark?.start ?? end);
  const clusters = body.length > LONGEST_CLAUSE ? graphemes.segment(body) : undefined;
  let from = 0;
  while (clusters && body.length - from > LONGEST_CLAUSE) {
    const to = pieceEnd(body, clusters, from);
    clauses.push({ start: start + from, end: start + to, mark: undefined });
    from = skipSpace(body, to);
  }
  if (start + from < end) clauses.push({ start: start + from, end, mark });
}

/** @returns the last space within the limit, else the last boundary between grapheme clusters. */
function pieceEnd(body: string, clusters: Intl.Segments, from: number): number {
  const limit = from + LONGEST_CLAUSE;
  const space = body.lastIndexOf(' ', limit);
  if (space > from) return space;
  const cluster = clusters.containing(limit);
  if (!cluster) return body.length;
  // One cluster may be longer than the limit; it is never split.
  return cluster.index > from ? cluster.index : cluster.index + cluster.segment.length;
}

function skipSpace(text: string, index: number): number {
  const space = /\s*/uy;
  space.lastIndex = index;
  return index + (space.exec(text)?.[0].length ?? 0);
}
