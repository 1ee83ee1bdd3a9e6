/** Where espeak-ng reads a word by another language's rules: `(en)həlˈəʊ(ru)`. */
const LANGUAGE_SWITCH = /\([^()]*\)/gu;
/** The part in the other language too, up to where it ends. */
const SWITCHED_STRETCH = /\([^()]*\)[^()]*\([^()]*\)/gu;
/** The package puts `_` between the sounds of a word. */
const SOUND_SEPARATOR = /_/gu;
/** The package puts ` | ` between clauses; which mark ended them is known from the text. */
const CLAUSE_OR_WORD_SEPARATOR = /[\s|]+/gu;

/**
 * Reduces espeak-ng's IPA to the symbols that Piper's models are trained on, as piper-phonemize
 * does: no language switches, canonical decomposition, one symbol a code point.
 *
 * @param ipa the package's output for a text.
 * @returns words separated by single spaces.
 */
export function symbolsOf(ipa: string): readonly string[] {
  const plain = ipa
    .replace(LANGUAGE_SWITCH, '')
    .replace(SOUND_SEPARATOR, '')
    .replace(CLAUSE_OR_WORD_SEPARATOR, ' ')
    .trim()
    .normalize('NFD');
  return [...plain];
}

/**
 * The sounds of a text, without stress and length: a diphthong or an affricate is one.
 *
 * @param ipa as for `symbolsOf`.
 */
export function soundsOf(ipa: string): readonly string[] {
  return ipa
    .replace(SWITCHED_STRETCH, ' ')
    .split(/[_\s|]+/u)
    .map((sound) => sound.replace(/[ˈˌː]/gu, '').normalize('NFD'))
    .filter((sound) => sound !== '');
}
