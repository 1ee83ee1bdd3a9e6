import { type CharacterKind, isSpeakable, kindOf } from './characters.ts';
import { DenseText } from './dense-text.ts';
import { type Lexicon, lexiconOf } from './language-words.ts';
import type { MarkMeaning } from './mark-meanings.ts';
import {
  endsBeforeInk,
  endsBeforeWord,
  extendMark,
  type Mark,
  OPENING_KINDS,
  openMark,
} from './marks.ts';
import { Quotation } from './quotation.ts';

/** How well a chunk may end at a boundary, worst first; `weak` only when nothing better is left. */
export const GRADES = ['weak', 'word', 'phrase', 'clause', 'sentence'] as const;
export type Grade = (typeof GRADES)[number];

/** Takes boundaries in order; one position may come again with another grade. */
export type BoundarySink = (position: number, grade: Grade) => void;

/** White space after a word, before the next word is known. */
interface Gap {
  readonly position: number;
  readonly meaning: MarkMeaning | undefined;
  readonly isWeak: boolean;
  lineBreaks: number;
}

/** Of a token at least as much is remembered: no abbreviation, number or host name is longer. */
const TOKEN_LENGTH = 64;
const BARE = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$/gu;
const DIGIT_AT_END = /\p{Nd}\P{L}*$/u;
const STARTING_KINDS: ReadonlySet<CharacterKind> = new Set([
  ...OPENING_KINDS,
  ...(['letter', 'dense', 'digit', 'other', 'apostrophe', 'markup', 'pictograph'] as const),
]);

/**
 * Reads a text once, code point by code point, and reports where chunks may end: directly after
 * ink, never after the white space that follows. What it reports depends on the characters read,
 * and on where fragments ended only through {@link readFragmentEnd}. Time and memory per
 * character are constant.
 */
export class BoundaryScanner {
  readonly #lexicon: Lexicon;
  readonly #report: BoundarySink;
  readonly #quotation = new Quotation();
  readonly #dense: DenseText;
  /** Ink since the last space or opening mark. */
  #token = '';
  #inkEnd = 0;
  #previousWord = '';
  #wordsInSentence = 0;
  #mark: Mark | undefined;
  #gap: Gap | undefined;
  /** The last gap, until the word after it is known; `isReported` unless that may be a trailer. */
  #open: { readonly position: number; readonly isReported: boolean } | undefined;

  constructor(language: string | undefined, report: BoundarySink) {
    this.#lexicon = lexiconOf(language);
    this.#dense = new DenseText(this.#lexicon.language, this.#lexicon.leaners);
    this.#report = report;
  }

  /** Whether the last character was a mark that the next character may yet change. */
  get isAtMark(): boolean {
    return this.#mark !== undefined;
  }

  /** Offset behind the last character that is no white space. */
  get inkEnd(): number {
    return this.#inkEnd;
  }

  /** Where a chunk may end if nothing more came: after the last mark, or before trailing space. */
  get tail(): { readonly position: number; readonly grade: Grade } | undefined {
    if (this.#mark !== undefined) return this.#mark;
    const gap = this.#gap;
    return gap && { position: gap.position, grade: gap.isWeak ? 'weak' : 'word' };
  }

  /** @param at UTF-16 offset of this code point. */
  read(character: string, at: number): void {
    const kind = kindOf(character);
    const end = at + character.length;
    if (kind === 'space' || kind === 'newline') {
      this.#readSpace(kind);
      return;
    }
    const joined = this.#mark !== undefined && this.#joinMark(this.#mark, character, kind, end);
    if (!joined) {
      if (this.#mark !== undefined) this.#passMark(this.#mark, character, kind);
      if (this.#gap !== undefined) this.#leaveGap(this.#gap, character, kind);
      this.#readInk(character, kind, at, end);
    }
    this.#inkEnd = end;
  }

  /** Reports a mark that ends its sentence or clause whatever the next fragment brings. */
  readFragmentEnd(): void {
    const mark = this.#mark;
    if (mark?.meaning !== 'ends' || mark.mayGrow || this.#quotation.isOpen) return;
    if (mark.closer === '」' || mark.closer === '』') return;
    this.#endAt(mark);
  }

  /** What follows is another text. */
  reset(): void {
    this.#quotation.reset();
    this.#dense.reset();
    this.#token = '';
    this.#previousWord = '';
    this.#wordsInSentence = 0;
    this.#mark = undefined;
    this.#gap = undefined;
    this.#open = undefined;
  }

  #endAt(mark: Mark): void {
    this.#mark = undefined;
    this.#token = '';
    this.#previousWord = '';
    if (mark.grade === 'sentence') this.#wordsInSentence = 0;
    this.#report(mark.position, mark.grade);
  }

  #readSpace(kind: CharacterKind): void {
    this.#dense.reset();
    const mark = this.#mark;
    if (mark?.meaning === 'ends' || mark?.meaning === 'ends-before-space') {
      mark.isSpaced = kind === 'space' && this.#quotation.hasGuillemets;
      if (!mark.isSpaced) this.#endAt(mark);
    } else if (mark !== undefined) this.#startGap(mark.position, mark.meaning, true);
    else if (this.#token !== '') {
      const token = this.#token;
      const word = this.#completeWord();
      const leans = this.#lexicon.leaners.has(word) || !isSpeakable(word);
      this.#startGap(this.#inkEnd, undefined, leans || DIGIT_AT_END.test(token));
    }
    if (kind === 'newline') this.#breakLine();
  }

  #startGap(position: number, meaning: MarkMeaning | undefined, isWeak: boolean): void {
    this.#mark = undefined;
    this.#token = '';
    this.#gap = { position, meaning, isWeak, lineBreaks: 0 };
  }

  /** A line's end closes a clause, or the sentence of a dot in doubt; an empty line a paragraph. */
  #breakLine(): void {
    this.#quotation.reset();
    this.#wordsInSentence = 0;
    const gap = this.#gap;
    if (gap === undefined) return;
    gap.lineBreaks += 1;
    const isSentence = gap.lineBreaks > 1 || gap.meaning !== undefined;
    this.#report(gap.position, isSentence ? 'sentence' : 'clause');
  }

  /** The word after a gap begins: says what the gap is worth. */
  #leaveGap(gap: Gap, character: string, kind: CharacterKind): void {
    this.#gap = undefined;
    // Punctuation set off by a space ("Ça va ?", "«Oui »") stays with the words before it.
    if (!STARTING_KINDS.has(kind)) return;
    if (endsBeforeWord(gap.meaning, character, kind)) {
      this.#wordsInSentence = 0;
      this.#report(gap.position, 'sentence');
    } else if (gap.isWeak || kind === 'digit') this.#report(gap.position, 'weak');
    else if (OPENING_KINDS.has(kind)) this.#report(gap.position, 'phrase');
    else {
      const isReported = !this.#lexicon.trailerInitials.has(character.toLowerCase());
      this.#open = { position: gap.position, isReported };
      if (isReported) this.#report(gap.position, 'word');
    }
  }

  /** @returns the word that ends here, bare and in lower case. */
  #completeWord(): string {
    const word = this.#token.replace(BARE, '').toLowerCase();
    const open = this.#open;
    this.#open = undefined;
    if (isSpeakable(word)) {
      this.#previousWord = word;
      this.#wordsInSentence += 1;
    }
    if (open === undefined) return word;
    if (this.#lexicon.heads.has(word)) this.#report(open.position, 'phrase');
    else if (this.#lexicon.trailers.has(word)) this.#report(open.position, 'weak');
    else if (!open.isReported) this.#report(open.position, 'word');
    return word;
  }

  /** @returns whether the character belongs to the run of marks that `mark` began. */
  #joinMark(mark: Mark, character: string, kind: CharacterKind, end: number): boolean {
    if (!this.#closesAfter(mark, character, kind) && !extendMark(mark, kind)) return false;
    mark.position = end;
    this.#extendToken(character);
    return true;
  }

  /** @returns whether the character closes a bracket or quote that the sentence stands in. */
  #closesAfter(mark: Mark, character: string, kind: CharacterKind): boolean {
    if (kind === 'closer' && !mark.isSpaced) this.#quotation.closeBracket();
    else {
      if (kind !== 'quote') return false;
      const mayOpen = mark.isSpaced || mark.grade === 'clause' || mark.follow === 'any';
      if (mayOpen && !this.#quotation.isOpenBy(character)) return false;
      this.#quotation.closeQuote(character);
    }
    mark.closer = character;
    mark.mayGrow = false;
    mark.isSpaced = false;
    return true;
  }

  /** Ink stands directly after a mark: either that still ends something, or it was none. */
  #passMark(mark: Mark, character: string, kind: CharacterKind): void {
    this.#mark = undefined;
    if (mark.isSpaced || endsBeforeInk(mark, character, kind)) this.#endAt(mark);
  }

  #readInk(character: string, kind: CharacterKind, at: number, end: number): void {
    if (kind === 'dense') {
      this.#completeWord();
      for (const position of this.#dense.read(character, at)) this.#report(position, 'word');
      this.#token = character;
      return;
    }
    if (kind !== 'extender') this.#dense.reset();
    const token = {
      text: this.#token,
      previousWord: this.#previousWord,
      isFirst: this.#wordsInSentence === 0,
    };
    const mark = openMark(character, kind, end, token, this.#lexicon);
    if (mark !== undefined) {
      this.#completeWord();
      this.#mark = mark;
    }
    if (this.#opensToken(character, kind)) this.#token = '';
    else this.#extendToken(character);
  }

  /** Cut once in a while: to cut at each character leaves more garbage than all other work. */
  #extendToken(character: string): void {
    this.#token += character;
    if (this.#token.length > 2 * TOKEN_LENGTH) this.#token = this.#token.slice(-TOKEN_LENGTH);
  }

  #opensToken(character: string, kind: CharacterKind): boolean {
    if (kind === 'opener') this.#quotation.openBracket();
    if (kind === 'closer') this.#quotation.closeBracket();
    if (kind !== 'quote') return kind === 'opener' || kind === 'lead';
    // After a digit a straight quote is an inch or second mark, unless it closes one.
    const isUnit = character === '"' && DIGIT_AT_END.test(this.#token);
    return (!isUnit || this.#quotation.isOpenBy(character)) && this.#quotation.quote(character);
  }
}
