/** What a code point can mean to a text that is being split. */
export type CharacterKind =
  | 'newline'
  | 'space'
  /** Ends a sentence, or belongs to a number, an abbreviation or an address. */
  | 'dot'
  /** Ends a sentence: `?`, `!`, `…` and their kin that are followed by a space. */
  | 'terminator'
  /** Ends a sentence in a script that puts no space after it. */
  | 'wide-terminator'
  /** `,` and `;`. */
  | 'clause'
  /** A clause mark that needs no space after it: `，`, `、`, `،`, and the em dash. */
  | 'wide-clause'
  | 'colon'
  /** `-` and `–`: a clause mark only between spaces. */
  | 'hyphen'
  /** An opening bracket; its closer is awaited. */
  | 'opener'
  /** `¿`, `¡`, `‘`: starts something whose end needs no watching. */
  | 'lead'
  | 'closer'
  /** Signs of Markdown, which may stand between a sentence's end and the space after it. */
  | 'markup'
  | 'pictograph'
  /** A mark that opens and closes alike, or does so differently from language to language. */
  | 'quote'
  /** `'` and `’`: apostrophes more often than quotes. */
  | 'apostrophe'
  /** Han and kana: written without spaces, about three Latin letters of speech each. */
  | 'dense'
  | 'letter'
  | 'digit'
  /** Never starts a grapheme cluster, or is invisible: belongs to what stands before it. */
  | 'extender'
  | 'other';

/** Unicode Standard §6.2 and the Sentence_Terminal property, restricted to the 29 languages. */
const MARKS: ReadonlyArray<readonly [CharacterKind, string]> = [
  ['newline', '\n\u000b\u000c\u0085\u2028\u2029'],
  ['dot', '.．﹒'],
  ['terminator', '?!…‼⁇⁈⁉‽؟۔।॥\u037e'],
  ['wide-terminator', '。！？｡﹗﹖'],
  ['clause', ',;·\u0387'],
  ['wide-clause', '，、；：､،؛—―'],
  ['colon', ':'],
  ['hyphen', '-–'],
  ['opener', '([{「『（【《〈［〔｢'],
  ['lead', '¿¡‘'],
  ['closer', ')]}」』）】》〉］〕｣'],
  ['markup', '*_`~'],
  ['quote', '"“”„‟＂«»‹›'],
  ['apostrophe', "'’"],
];

const BY_CHARACTER = new Map<string, CharacterKind>(
  MARKS.flatMap(([kind, characters]) => [...characters].map((one) => [one, kind] as const)),
);

const SPACE = /\s/u;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const LETTER = /\p{L}/u;
const DIGIT = /\p{Nd}/u;
/** Grapheme cluster extenders (UAX #29), and the invisible joiners and direction marks. */
const EXTENDER = /[\p{Grapheme_Extend}\p{Mc}\p{Emoji_Modifier}\p{Cf}]/u;
const PICTOGRAPH = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u;
const SPEAKABLE = /[\p{L}\p{N}\p{Sc}%&@°]/u;
const HANGUL = /\p{Script=Hangul}/u;

/** @param character one code point; a lone surrogate is `other`. */
export function kindOf(character: string): CharacterKind {
  const known = BY_CHARACTER.get(character);
  if (known !== undefined) return known;
  // Extenders come first: half-width voicing marks and Indic vowel signs match other tests too.
  if (character > '\u007f' && EXTENDER.test(character)) return 'extender';
  if (character > '\u2e7f' && DENSE.test(character)) return 'dense';
  if (LETTER.test(character)) return 'letter';
  if (DIGIT.test(character)) return 'digit';
  if (PICTOGRAPH.test(character)) return 'pictograph';
  return SPACE.test(character) ? 'space' : 'other';
}

/** Whether a voice would say anything at all: a letter, a number, or a sign that is read out. */
export function isSpeakable(text: string): boolean {
  return SPEAKABLE.test(text);
}

/**
 * How much speech a code point stands for, in Latin letters. Chinese and Japanese are spoken at
 * about 5 characters a second and Korean at about 6 syllables and a space, English at about 15.
 */
export function speechWeight(character: string): number {
  if (character < '\u1100') return 1;
  if (DENSE.test(character)) return 3;
  return HANGUL.test(character) ? 2 : 1;
}
