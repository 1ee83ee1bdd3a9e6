import type {
  AliasRule,
  DictionaryRule,
  PhonemeRule,
} from '../../../../../src/domain/dictionary.ts';

/** Whole words in the case they are written in, as rules are unless they say otherwise. */
const EXACT = { caseSensitive: true, wordBoundaries: true };

export function alias(
  stringToReplace: string,
  words: string,
  options: Partial<AliasRule> = {},
): DictionaryRule {
  return { type: 'alias', stringToReplace, alias: words, ...EXACT, ...options };
}

export function phoneme(
  stringToReplace: string,
  sounds: string,
  options: Partial<PhonemeRule> = {},
): DictionaryRule {
  return {
    type: 'phoneme',
    stringToReplace,
    phoneme: sounds,
    alphabet: 'ipa',
    ...EXACT,
    ...options,
  };
}
