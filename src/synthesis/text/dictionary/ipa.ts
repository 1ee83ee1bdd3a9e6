import type { PhonemeRule } from '../../../domain/dictionary.ts';
import { arpabetToIpa } from './arpabet.ts';

/** How people type sounds for which IPA has a letter of its own, and the letters voices know. */
const USUAL_FORMS: ReadonlyArray<readonly [typed: string, symbol: string]> = [
  ['g', 'ɡ'],
  ['ʤ', 'dʒ'],
  ['ʧ', 'tʃ'],
  ['ʣ', 'dz'],
  ['ʥ', 'dʑ'],
  ['ʨ', 'tɕ'],
  ['ɝ', 'ɜː'],
  [':', 'ː'],
  ["'", 'ˈ'],
  ['’', 'ˈ'],
  ['ʼ', 'ˈ'],
];
/** Brackets around a transcription, syllable breaks, ties and tone-group bars are not spoken. */
const UNSPOKEN = /[/[\].·|‖‿-]|\u035c|\u0361/gu;
/** Small letters of IPA's two alphabets, their marks and modifiers, and the spaces between words. */
const TRANSCRIPTION =
  /^(?:(?=[\p{sc=Latin}\p{sc=Greek}\p{sc=Common}\p{sc=Inherited}])[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Sk} ↑↓])+$/u;
const SOUND = /[\p{Ll}\p{Lo}]/u;
const VOWELS = 'aeiouyæøœɐɑɒɔəɘɚɛɜɞɤɨɪɯɵɶʉʊʌʏᵻ';
/** A consonant that is a syllable's core (U+0329) keeps its stress mark before it. */
const STRESSED_CONSONANTS = new RegExp(`([ˈˌ])([^ ˈˌ${VOWELS}\\u0329]+)(?=[${VOWELS}])`, 'gu');

/**
 * A transcription as voices read it: one NFD code point a symbol. Stress marks, which IPA puts
 * before the syllable, go before its vowel, where espeak-ng puts them.
 *
 * @returns undefined when the text is not IPA: digits, capitals or marks that IPA has not, or no
 *   sound at all.
 */
export function ipaSymbols(transcription: string): readonly string[] | undefined {
  let plain = transcription.normalize('NFD').replace(UNSPOKEN, '');
  for (const [typed, symbol] of USUAL_FORMS) plain = plain.replaceAll(typed, symbol);
  plain = plain.replace(/\s+/gu, ' ').trim();
  if (!TRANSCRIPTION.test(plain) || !SOUND.test(plain)) return undefined;
  return [...plain.replace(STRESSED_CONSONANTS, '$2$1')];
}

/** @returns the symbols of a rule; undefined when its phonemes are not of its alphabet. */
export function symbolsOfRule({
  phoneme,
  alphabet,
}: Pick<PhonemeRule, 'phoneme' | 'alphabet'>): readonly string[] | undefined {
  const ipa = alphabet === 'cmu-arpabet' ? arpabetToIpa(phoneme) : phoneme;
  return ipa === undefined ? undefined : ipaSymbols(ipa);
}
