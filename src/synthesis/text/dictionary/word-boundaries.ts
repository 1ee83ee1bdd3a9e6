/** Letters, marks and digits carry a word on. */
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}_]/u;
/** Scripts that write no space between words: there, any character may end one. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

/**
 * Whether a text can be cut at a place without breaking a word. There is none to break beside
 * punctuation: "C++" and ".net" are words to the author of a rule for them, and "UN" is one in
 * "UN's".
 *
 * @param index UTF-16, not inside a surrogate pair.
 */
export function isWordBoundary(text: string, index: number): boolean {
  return !(isOfWord(characterBefore(text, index)) && isOfWord(characterAt(text, index)));
}

function isOfWord(character: string): boolean {
  return WORD_CHARACTER.test(character) && !UNSPACED.test(character);
}

function characterAt(text: string, index: number): string {
  return index < text.length ? String.fromCodePoint(text.codePointAt(index) ?? 0) : '';
}

/** The character before a place, of two units where it takes two. */
function characterBefore(text: string, index: number): string {
  const pair = text.slice(Math.max(0, index - 2), index);
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair) ? pair : pair.slice(-1);
}
