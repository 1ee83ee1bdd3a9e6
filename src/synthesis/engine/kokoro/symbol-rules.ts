import type { KokoroLanguage } from './speakers.ts';

/** From eSpeak NG's symbols to Kokoro's: the longest match wins; what has no rule stays as it is. */
export type SymbolRules = ReadonlyMap<string, string>;

/**
 * Kokoro learnt its symbols from misaki (github.com/hexgrad/misaki, Apache-2.0), which reads English with a
 * dictionary and everything else with eSpeak NG. These rules lead from eSpeak NG's transcriptions to
 * misaki's: one letter for a diphthong or an affricate, and in English one spelling for each sound.
 */
const DIPHTHONGS_AND_AFFRICATES = {
  aɪ: 'I',
  aʊ: 'W',
  eɪ: 'A',
  ɔɪ: 'Y',
  dʒ: 'ʤ',
  tʃ: 'ʧ',
  // A cedilla comes decomposed, and is one symbol here.
  ç: 'ç',
};

const ENGLISH = {
  ...DIPHTHONGS_AND_AFFRICATES,
  əl: 'ᵊl',
  // Before stress the syllable begins with the consonant: "alone" has a full first vowel.
  əlˈ: 'əlˈ',
  əlˌ: 'əlˌ',
  'n\u0329': 'ᵊn',
  'l\u0329': 'ᵊl',
  'm\u0329': 'ᵊm',
  '\u0303': '',
  ɚ: 'əɹ',
  ɐ: 'ə',
  e: 'A',
  r: 'ɹ',
  x: 'k',
  ç: 'k',
  ɬ: 'l',
  ʔ: 't',
  ʲ: '',
  o: 'ɔ',
};

const AMERICAN = {
  ...ENGLISH,
  oʊ: 'O',
  ɜː: 'ɜɹ',
  ɜːɹ: 'ɜɹ',
  ɪə: 'iə',
  ɾ: 'T',
  ː: '',
};

const BRITISH = {
  ...ENGLISH,
  əʊ: 'Q',
  oʊ: 'Q',
  eə: 'ɛː',
  iə: 'ɪə',
};

const EUROPEAN = { ...DIPHTHONGS_AND_AFFRICATES, oʊ: 'O', əʊ: 'Q', ts: 'ʦ', dz: 'ʣ' };

/** eSpeak NG 1.52 writes the weak final vowels unlike the releases that Kokoro learnt from. */
const PORTUGUESE = { ...EUROPEAN, y: 'ɪ', æ: 'ɐ', ə: 'ɐ' };

const RULES: Readonly<Record<KokoroLanguage, SymbolRules>> = {
  'en-US': rulesOf(AMERICAN),
  'en-GB': rulesOf(BRITISH),
  es: rulesOf(EUROPEAN),
  // "ts" in French is two sounds, and rare.
  fr: rulesOf(DIPHTHONGS_AND_AFFRICATES),
  hi: rulesOf(EUROPEAN),
  it: rulesOf(EUROPEAN),
  'pt-BR': rulesOf(PORTUGUESE),
  ja: rulesOf(EUROPEAN),
  zh: rulesOf(EUROPEAN),
};

export function symbolRulesFor(language: KokoroLanguage): SymbolRules {
  return RULES[language];
}

/** Keys as the phonemiser writes them: decomposed. */
function rulesOf(table: Readonly<Record<string, string>>): SymbolRules {
  return new Map(
    Object.entries(table).map(([symbols, reading]) => [symbols.normalize('NFD'), reading]),
  );
}
