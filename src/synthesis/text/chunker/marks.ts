import type { CharacterKind } from './characters.ts';
import type { Lexicon } from './language-words.ts';
import {
  clauseMeaning,
  dotMeaning,
  isGreekQuestion,
  type MarkMeaning,
  type Token,
  terminatorMeaning,
} from './mark-meanings.ts';

/** A run of a sentence's or clause's marks and closers, before what follows is known. */
export interface Mark {
  /** Offset behind the run. */
  position: number;
  grade: 'clause' | 'sentence';
  meaning: MarkMeaning;
  /** What may stand directly after the run and leave it a boundary. */
  follow: 'space' | 'letter' | 'any';
  /** The last closing bracket or quote in the run, if any. */
  closer: string;
  /** The run ends in an emoji, whose cluster the next character may continue. */
  mayGrow: boolean;
  /** A space follows, and then perhaps a guillemet that belongs to the run. */
  isSpaced: boolean;
}

const LOWERCASE = /\p{Ll}/u;
export const OPENING_KINDS: ReadonlySet<CharacterKind> = new Set(['opener', 'lead', 'quote']);
/** What starts a word, or the quotes and brackets around it. */
const WORD_KINDS: ReadonlySet<CharacterKind> = new Set([...OPENING_KINDS, 'letter', 'dense']);
/** Japanese quotes may go on with "… he said": 「はい。」と言った。 */
const QUOTATION_PARTICLES = 'とっ';

const SHAPES: Partial<Record<CharacterKind, Pick<Mark, 'grade' | 'follow'>>> = {
  dot: { grade: 'sentence', follow: 'space' },
  terminator: { grade: 'sentence', follow: 'letter' },
  'wide-terminator': { grade: 'sentence', follow: 'any' },
  clause: { grade: 'clause', follow: 'space' },
  'wide-clause': { grade: 'clause', follow: 'any' },
  colon: { grade: 'clause', follow: 'space' },
  hyphen: { grade: 'clause', follow: 'space' },
};

/**
 * @param position offset behind the character.
 * @param token what stands before it.
 * @returns undefined if the character is no mark.
 */
export function openMark(
  character: string,
  kind: CharacterKind,
  position: number,
  token: Token,
  lexicon: Lexicon,
): Mark | undefined {
  // Inside a word a hyphen joins, and at a line's start it is a bullet.
  if (kind === 'hyphen' && (token.text !== '' || token.isFirst)) return undefined;
  const asks = character === ';' && isGreekQuestion(token, lexicon);
  const shape = SHAPES[asks ? 'terminator' : kind];
  if (shape === undefined) return undefined;
  const meaning = asks ? 'ends' : meaningOf(kind, token, lexicon);
  const { grade, follow } = shape;
  // Field by field: to spread the shape leaves a kilobyte a mark, which lives on through scavenges.
  return { grade, follow, position, meaning, closer: '', mayGrow: false, isSpaced: false };
}

function meaningOf(kind: CharacterKind, token: Token, lexicon: Lexicon): MarkMeaning {
  if (kind === 'dot') return dotMeaning(token, lexicon);
  if (kind === 'terminator') return terminatorMeaning(token);
  if (kind === 'clause' || kind === 'wide-clause') return clauseMeaning(token);
  return kind === 'wide-terminator' ? 'ends' : 'ends-before-space';
}

/** What may stand between a sentence's mark and the space after it, besides what closes. */
const TRAILING_KINDS: ReadonlySet<CharacterKind> = new Set([
  ...(['apostrophe', 'markup', 'pictograph', 'extender'] as const),
]);
const SENTENCE_KINDS: ReadonlySet<CharacterKind> = new Set([
  ...(['dot', 'terminator', 'wide-terminator'] as const),
]);

/** Adds one more mark to the run ("?!", "...", "etc.,"). @returns whether it is one. */
export function extendMark(mark: Mark, kind: CharacterKind): boolean {
  if (mark.isSpaced) return false;
  mark.mayGrow = kind === 'pictograph' || kind === 'extender';
  if (SENTENCE_KINDS.has(kind)) {
    mark.grade = 'sentence';
    mark.meaning = 'ends';
    if (mark.follow === 'space') mark.follow = 'letter';
    return true;
  }
  if (kind !== 'clause' && kind !== 'wide-clause') return TRAILING_KINDS.has(kind);
  mark.grade = 'clause';
  mark.meaning = 'ends';
  return true;
}

/** Whether a mark ends something although ink stands directly after it. */
export function endsBeforeInk(mark: Mark, character: string, kind: CharacterKind): boolean {
  if (mark.meaning === 'never') return false;
  if (mark.meaning === 'ends-before-space' && kind === 'digit') return false;
  if (mark.closer !== '' && QUOTATION_PARTICLES.includes(character)) return false;
  if (mark.follow === 'any' || kind === 'dense') return true;
  return mark.follow === 'letter' && mark.meaning === 'ends' && WORD_KINDS.has(kind);
}

/** Whether a mark in doubt ends its sentence, once the first character after the space is known. */
export function endsBeforeWord(
  meaning: MarkMeaning | undefined,
  character: string,
  kind: CharacterKind,
): boolean {
  const mayStartSentence = WORD_KINDS.has(kind) && !LOWERCASE.test(character);
  return meaning === 'ends-before-capital' && mayStartSentence;
}
