import { describe, expect, it } from 'vitest';
import { isPlainWord, writtenWords } from '../../../../src/synthesis/phonemes/written-words.ts';

const textsOf = (text: string) => writtenWords(text).map((word) => word.text);

describe('writtenWords', () => {
  it.each([
    ['“Hello,” she (Ann) said', ['Hello,', 'she', 'Ann', 'said']],
    ['well-known—really – $5 & 50% ...', ['well-known', 'really', '$5', '&', '50%']],
    ["don't o’clock", ["don't", 'o’clock']],
    ['今天天气很好', ['今天', '天气', '很好']],
    ['สวัสดีครับ', ['สวัสดี', 'ครับ']],
    ['안녕 세상', ['안녕', '세상']],
    [' \u0301\n', []],
  ])('finds those of %j', (text, expected) => {
    expect(textsOf(text)).toEqual(expected);
  });

  it('says where they stand', () => {
    const text = ' «Oui» 你好 👍x';
    for (const word of writtenWords(text)) {
      expect(text.slice(word.start, word.end)).toBe(word.text);
    }
  });
});

describe('isPlainWord', () => {
  it.each([
    ['hello', true],
    ["L'été", true],
    ['привет', true],
    ['I', true],
    ['NASA', false],
    ['3rd', false],
    ['e-mail', false],
    ['U.S.', false],
  ])('%s: %s', (text, expected) => {
    expect(isPlainWord({ text, start: 0, end: text.length })).toBe(expected);
  });
});
