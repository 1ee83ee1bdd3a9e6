import type { Lexicon } from './language-words.ts';

/** What decides whether a mark ends its sentence or clause. */
export type MarkMeaning =
  /** It does, whatever follows. */
  | 'ends'
  /** It does if a space follows; a digit or letter would carry a number or an address on. */
  | 'ends-before-space'
  /** An abbreviation or an ordinal, unless a capital or a caseless letter follows. */
  | 'ends-before-capital'
  /** It does not, but for a line break: an abbreviation, an initial, a list's number. */
  | 'never';

const ADDRESS = /[@/\\_]|^www$|[\p{L}\p{N}-]\.[\p{L}\p{N}-]/iu;
/** Words after which a bare word may be the first label of an address ("visit example" + ".com"). */
const ADDRESS_CUES = new Set(
  'visit website site web www url link domain email e-mail mail file fichier archivo datei'.split(
    ' ',
  ),
);
const ACRONYM = /^(?:\p{L}\p{M}*\.)+\p{L}\p{M}*$/u;
const SINGLE_CAPITAL = /^\p{Lu}\p{M}*$/u;
const SINGLE_LETTER = /^\p{L}\p{M}*$/u;
/** Scripts in which one character is a word, so that a single one is no initial. */
const SYLLABIC = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const LEADING_MARKS = /^[^\p{L}\p{N}]+/u;
const NUMBER_AT_END = /\p{Nd}$/u;
const WHOLE_NUMBER = /^\p{Nd}+$/u;
const ROMAN_NUMERAL = /^[IVXLC]{2,}$/u;
const GREEK_AT_END = /\p{Script=Greek}[)"»”]?$/u;
/** Days of a month are the commonest ordinals; larger numbers with a dot end sentences. */
const LARGEST_ORDINAL = 31;

/** The run of characters before a mark, and where it stands. */
export interface Token {
  /** Since the last space, without the mark. */
  readonly text: string;
  readonly previousWord: string;
  /** Nothing was said yet in this sentence or line. */
  readonly isFirst: boolean;
}

/** Reads `.` by the characters before it. */
export function dotMeaning(token: Token, lexicon: Lexicon): MarkMeaning {
  const bare = token.text.replace(LEADING_MARKS, '').normalize('NFC');
  if (bare === '') return 'ends-before-space';
  const abbreviation = abbreviationMeaning(bare, lexicon);
  if (abbreviation !== undefined) return abbreviation;
  if (NUMBER_AT_END.test(bare)) return numberMeaning(bare, token, lexicon);
  if (lexicon.ordinals !== undefined && ROMAN_NUMERAL.test(bare)) return ordinalMeaning(lexicon);
  if (ADDRESS.test(bare) || ADDRESS_CUES.has(token.previousWord)) return 'ends-before-space';
  return 'ends';
}

function abbreviationMeaning(bare: string, lexicon: Lexicon): MarkMeaning | undefined {
  const reading = lexicon.abbreviations.get(bare.toLowerCase());
  if (reading === 'either') return 'ends-before-capital';
  if (reading === 'beforeName' || SINGLE_CAPITAL.test(bare)) return 'never';
  if (reading === 'beforeNumber') return 'ends-before-capital';
  if (SINGLE_LETTER.test(bare)) return SYLLABIC.test(bare) ? 'ends' : 'never';
  if (!ACRONYM.test(bare)) return undefined;
  return bare === bare.toLowerCase() ? 'ends-before-capital' : 'never';
}

function numberMeaning(bare: string, token: Token, lexicon: Lexicon): MarkMeaning {
  if (!WHOLE_NUMBER.test(bare)) return 'ends-before-space';
  if (token.isFirst) return 'never';
  const isNumbered = lexicon.abbreviations.get(token.previousWord) === 'beforeNumber';
  const mayBeOrdinal = lexicon.ordinals !== undefined && Number(bare) <= LARGEST_ORDINAL;
  return mayBeOrdinal && !isNumbered ? ordinalMeaning(lexicon) : 'ends-before-space';
}

function ordinalMeaning(lexicon: Lexicon): MarkMeaning {
  return lexicon.ordinals === 'before-any' ? 'never' : 'ends-before-capital';
}

/** Reads `?`, `!` and their kin: they end a sentence, except inside a web address. */
export function terminatorMeaning(token: Token): MarkMeaning {
  return ADDRESS.test(token.text) ? 'ends-before-space' : 'ends';
}

/** Reads a comma or another clause mark: between digits it belongs to a number. */
export function clauseMeaning(token: Token): MarkMeaning {
  return NUMBER_AT_END.test(token.text) ? 'ends-before-space' : 'ends';
}

/** `;` asks a question after Greek letters, and after anything in a Greek text. */
export function isGreekQuestion(token: Token, lexicon: Lexicon): boolean {
  return lexicon.language === 'el' || GREEK_AT_END.test(token.text);
}
