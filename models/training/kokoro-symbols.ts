/** espeak-ng's English IPA in the notation that Kokoro was trained on; first match first. */
const BOTH: readonly Rule[] = [
  ['\u0303', ''],
  ['tʃ', 'ʧ'],
  ['dʒ', 'ʤ'],
  ['eɪ', 'A'],
  ['aɪ', 'I'],
  ['aʊ', 'W'],
  ['ɔɪ', 'Y'],
  [/(\P{M})\u0329/gu, 'ᵊ$1'],
  // One sound of espeak-ng's, as in "bottle"; before a vowel it is two, as in "hello".
  [/əl(?=[^ˈˌaeiouæɑɐɒɔəɛɜɪʊʌAIOQWYᵻ]|$)/gu, 'ᵊl'],
  [/ɚɹ?/gu, 'əɹ'],
  ['ɐ', 'ə'],
  [/[xç]/gu, 'k'],
  ['r', 'ɹ'],
  ['ɬ', 'l'],
  ['g', 'ɡ'],
  ['ʔ', 't'],
];

const AMERICAN: readonly Rule[] = [
  ['oʊ', 'O'],
  [/ɜː(?!ɹ)/gu, 'ɜɹ'],
  ['ɪə', 'iə'],
  ['ɾ', 'T'],
  ['ː', ''],
];

const BRITISH: readonly Rule[] = [
  ['əʊ', 'Q'],
  ['oʊ', 'Q'],
  [/eə/gu, 'ɛː'],
  ['iə', 'ɪə'],
];

const LAST: readonly Rule[] = [
  ['e', 'A'],
  ['o', 'ɔ'],
];

type Rule = readonly [pattern: string | RegExp, symbols: string];

/** Rules as in misaki's espeak fallback (Apache-2.0), without the ties that it reads. */
export function kokoroSymbols(symbols: readonly string[], isBritish: boolean): readonly string[] {
  const rules = [...BOTH, ...(isBritish ? BRITISH : AMERICAN), ...LAST];
  return [...rules.reduce((text, [pattern, to]) => text.replaceAll(pattern, to), symbols.join(''))];
}
