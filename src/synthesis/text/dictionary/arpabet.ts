/**
 * Vowels of the CMU Pronouncing Dictionary (speech.cs.cmu.edu/cgi-bin/cmudict) and of the longer
 * ARPABET it comes from, as espeak-ng writes General American, which is what voices are trained on.
 * Where two are given, the first is of stressed syllables, the second of unstressed ones.
 */
const VOWELS: Readonly<Record<string, readonly [stressed: string, unstressed?: string]>> = {
  AA: ['ɑː'],
  AE: ['æ'],
  AH: ['ʌ', 'ə'],
  AO: ['ɔː'],
  AW: ['aʊ'],
  AX: ['ə'],
  AXR: ['ɚ'],
  AY: ['aɪ'],
  EH: ['ɛ'],
  ER: ['ɜː', 'ɚ'],
  EY: ['eɪ'],
  IH: ['ɪ'],
  IX: ['ᵻ'],
  IY: ['iː', 'i'],
  OW: ['oʊ'],
  OY: ['ɔɪ'],
  UH: ['ʊ'],
  UW: ['uː'],
  UX: ['ʉ'],
};

const CONSONANTS: Readonly<Record<string, string>> = {
  B: 'b',
  CH: 'tʃ',
  D: 'd',
  DH: 'ð',
  DX: 'ɾ',
  EL: 'əl',
  EM: 'əm',
  EN: 'ən',
  ENG: 'əŋ',
  F: 'f',
  G: 'ɡ',
  H: 'h',
  HH: 'h',
  HV: 'h',
  JH: 'dʒ',
  K: 'k',
  L: 'l',
  M: 'm',
  N: 'n',
  NG: 'ŋ',
  NX: 'ɾ',
  P: 'p',
  Q: 'ʔ',
  R: 'ɹ',
  S: 's',
  SH: 'ʃ',
  T: 't',
  TH: 'θ',
  V: 'v',
  W: 'w',
  WH: 'w',
  Y: 'j',
  Z: 'z',
  ZH: 'ʒ',
};

const STRESS_MARKS: Readonly<Record<string, string>> = { 0: '', 1: 'ˈ', 2: 'ˌ' };
const SYMBOL = /^([A-Z]{1,3})([0-2])?$/;

/**
 * CMU ARPABET, such as "T AH0 M EY1 T OW2", in IPA: "təmˈeɪtˌoʊ". Case does not matter. A vowel
 * without a number is unstressed.
 *
 * @returns undefined when a symbol is none of the alphabet's, or a consonant is stressed.
 */
export function arpabetToIpa(phonemes: string): string | undefined {
  const sounds = phonemes
    .trim()
    .toUpperCase()
    .split(/\s+/)
    .map((symbol) => soundOf(symbol));
  return sounds.includes(undefined) ? undefined : sounds.join('');
}

function soundOf(symbol: string): string | undefined {
  const [, name = '', stress] = SYMBOL.exec(symbol) ?? [];
  if (stress === undefined && Object.hasOwn(CONSONANTS, name)) return CONSONANTS[name];
  if (!Object.hasOwn(VOWELS, name)) return undefined;
  const [stressed = '', unstressed = stressed] = VOWELS[name] ?? [];
  const mark = STRESS_MARKS[stress ?? '0'] ?? '';
  return mark + (mark === '' ? unstressed : stressed);
}
