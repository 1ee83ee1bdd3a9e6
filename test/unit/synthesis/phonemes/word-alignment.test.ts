import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignWords } from '../../../../src/synthesis/phonemes/word-alignment.ts';

/** The symbols that each word got, as strings; spaces at the joints belong to the word before. */
function shares(spoken: string, alone: readonly string[]): string[] {
  const symbols = [...spoken];
  const words = alignWords(
    symbols,
    alone.map((word) => [...word]),
  );
  return alone.map((_, word) => symbols.filter((_symbol, index) => words[index] === word).join(''));
}

describe('alignWords', () => {
  it('separates words that are spoken as one', () => {
    expect(shares('ˈɛks ʌvðə wˈaɪ', ['ˈɛks', 'ʌv', 'ðə', 'wˈaɪ'])).toEqual([
      'ˈɛks ',
      'ʌv',
      'ðə ',
      'wˈaɪ',
    ]);
    expect(shares('fɚɹə wˈaɪl', ['fɔːɹ', 'ˈeɪ', 'wˈaɪl'])).toEqual(['fɚɹ', 'ə ', 'wˈaɪl']);
  });

  it('keeps together a word that is spoken as several', () => {
    expect(shares('tˈɜːnd fˈɔːɹɾi tˈuː ɔnðə', ['tˈɜːnd', 'fˈɔːɹɾi tˈuː', 'ˈɔn', 'ðə'])).toEqual(
      ['tˈɜːnd ', 'fˈɔːɹɾi tˈuː ', 'ɔn', 'ðə '].map((share) => share.replace('ðə ', 'ðə')),
    );
  });

  it('gives nothing to words that are silent', () => {
    expect(shares('həlˈoʊ wˈɜːld', ['', 'həlˈoʊ', '', 'wˈɜːld', ''])).toEqual([
      '',
      'həlˈoʊ ',
      '',
      'wˈɜːld',
      '',
    ]);
    expect(shares('abc', [])).toEqual([]);
    expect(alignWords(['a', 'b'], [[], []])).toEqual([0, 0]);
  });

  it('gives the first sounds of a spoken word to the word that follows', () => {
    expect(shares('ðə ˈænd', ['ðə', 'ænd'])).toEqual(['ðə ', 'ˈænd']);
  });

  it('aligns words as spoken alone with themselves', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', 'b', 'ˈ', 'ː', 'ə'),
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (alone) => {
        const words = alignWords(
          [...alone.join(' ')],
          alone.map((one) => [...one]),
        );
        expect(words).toEqual(
          alone.flatMap((one, index) =>
            Array(one.length + (index + 1 < alone.length ? 1 : 0)).fill(index),
          ),
        );
      }),
    );
  });

  it('never goes back, whatever is compared, and however long', () => {
    const sounds = fc.string({ unit: fc.constantFrom('a', 'b', 'ˈ', ' '), maxLength: 30 });
    fc.assert(
      fc.property(sounds, fc.array(sounds, { maxLength: 6 }), (spoken, alone) => {
        const words = alignWords(
          [...spoken],
          alone.map((one) => [...one]),
        );
        expect(words).toHaveLength(spoken.length);
        expect(words).toEqual(words.toSorted((a, b) => a - b));
        for (const word of words) expect(word).toBeLessThan(Math.max(1, alone.length));
      }),
    );
    const long = alignWords(Array(3000).fill('a'), [Array(1500).fill('a'), Array(1500).fill('a')]);
    expect(long.filter((word) => word === 0)).toHaveLength(1501);
  });
});
