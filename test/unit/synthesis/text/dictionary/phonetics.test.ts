import { describe, expect, it } from 'vitest';
import { arpabetToIpa } from '../../../../../src/synthesis/text/dictionary/arpabet.ts';
import { ipaSymbols, symbolsOfRule } from '../../../../../src/synthesis/text/dictionary/ipa.ts';

/** Every symbol of the CMU dictionary's phone list (cmudict-0.7b.phones), and one word with it. */
const CMU_PHONES = [
  ...['AA', 'AE', 'AH', 'AO', 'AW', 'AY', 'B', 'CH', 'D', 'DH', 'EH', 'ER', 'EY', 'F', 'G', 'HH'],
  ...['IH', 'IY', 'JH', 'K', 'L', 'M', 'N', 'NG', 'OW', 'OY', 'P', 'R', 'S', 'SH', 'T', 'TH', 'UH'],
  ...['UW', 'V', 'W', 'Y', 'Z', 'ZH'],
];

describe('arpabetToIpa', () => {
  it.each([
    ['T AH0 M EY1 T OW2', 'təmˈeɪtˌoʊ'],
    ['HH AH0 L OW1', 'həlˈoʊ'],
    ['L EH1 T ER0', 'lˈɛtɚ'],
    ['TH ER1 D', 'θˈɜːd'],
    ['B AA1 K S', 'bˈɑːks'],
    ['ch iy1 z', 'tʃˈiːz'],
    ['M EH1 ZH ER0', 'mˈɛʒɚ'],
    ['F AO1 R T IY0', 'fˈɔːɹti'],
    ['AH', 'ə'],
  ])('%s is %s', (phonemes, ipa) => {
    expect(arpabetToIpa(phonemes)).toBe(ipa);
  });

  it('knows the whole alphabet, and each sound is one that IPA writes', () => {
    for (const phone of CMU_PHONES) {
      const ipa = arpabetToIpa(phone);
      expect([phone, ipa === undefined ? ipa : ipaSymbols(ipa)?.join('')]).toEqual([phone, ipa]);
    }
  });

  it('marks stress on every vowel, and on no consonant', () => {
    const vowels = CMU_PHONES.filter((phone) => /^[AEIOU]/.test(phone));
    expect(vowels).toHaveLength(15);
    for (const phone of CMU_PHONES) {
      const stressed = arpabetToIpa(`${phone}1`);
      if (vowels.includes(phone)) expect(stressed).toMatch(/^ˈ./u);
      else expect([phone, stressed]).toEqual([phone, undefined]);
    }
  });

  it.each(['', 'T AH3', 'XX', 'toString', '__proto__', 'T-AH0', 'tomato', 'ˈt'])(
    'refuses %j',
    (phonemes) => {
      expect(arpabetToIpa(phonemes)).toBeUndefined();
    },
  );
});

describe('ipaSymbols', () => {
  it.each([
    ['/təˈmeɪtoʊ/', 'təmˈeɪtoʊ'],
    ['[ˈnaɪ.ki]', 'nˈaɪki'],
    ['ˈstrɛŋθ', 'strˈɛŋθ'],
    ['ˌmɪsɪˈsɪpi', 'mˌɪsɪsˈɪpi'],
    ['gɪf', 'ɡɪf'],
    ['t͡ʃiːz', 'tʃiːz'],
    ['ʤɪn', 'dʒɪn'],
    ["ma'ri:a", 'marˈiːa'],
    ['nju ˈjɔɹk', 'nju jˈɔɹk'],
    ['ˈæpl̩', 'ˈæpl̩'],
    ['ˈl̩', 'ˈl̩'],
    ['bɔ̃ʒuʁ', 'bɔ̃ʒuʁ'],
    ['  a  b ', 'a b'],
  ])('%s becomes %s', (transcription, symbols) => {
    expect(ipaSymbols(transcription)?.join('')).toBe(symbols.normalize('NFD'));
  });

  it('gives one decomposed code point a symbol', () => {
    expect(ipaSymbols('ça')).toEqual(['c', '\u0327', 'a']);
  });

  it.each(['', ' ', 'ˈ', '//', 'TOMATO', 'a1', 'мир', '北京', 'a;b', 'a\0b', '\ud83d', '👍'])(
    'refuses %j',
    (transcription) => {
      expect(ipaSymbols(transcription)).toBeUndefined();
    },
  );
});

describe('symbolsOfRule', () => {
  it('reads phonemes in their own alphabet', () => {
    expect(symbolsOfRule({ alphabet: 'ipa', phoneme: 'hˈaɪ' })?.join('')).toBe('hˈaɪ');
    expect(symbolsOfRule({ alphabet: 'cmu-arpabet', phoneme: 'HH AY1' })?.join('')).toBe('hˈaɪ');
    expect(symbolsOfRule({ alphabet: 'cmu-arpabet', phoneme: 'hˈaɪ' })).toBeUndefined();
  });
});
