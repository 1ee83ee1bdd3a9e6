import { describe, expect, it } from 'vitest';
import { legibleText } from '../../../../src/synthesis/phonemes/legible-text.ts';

describe('legibleText', () => {
  it.each([
    ['Plain text, 1 line.\n', 'Plain text, 1 line.\n'],
    ['cafe\u0301', 'café'],
    ['a\0b\u0001c', 'a b c'],
    ['x\ud83dy', 'x y'],
    ['so\u00adft \u200fשלום\ufeff', 'soft שלום'],
    ['क्\u200dष', 'क्\u200dष'],
    ['happy 👍🏽!', 'happy   !'],
    ['🇧🇷 1\ufe0f\u20e3 ☎', '   1    '],
    ['© → ™', '© → ™'],
    ['ＡＢ１２ ｶﾞ', 'AB12 ガ'],
    ['τι\u037e', 'τι?'],
    [`e${'\u0301'.repeat(100)}`, 'é\u0301\u0301\u0301'],
  ])('%j → %j', (text, expected) => {
    expect(legibleText(text)).toBe(expected);
  });
});
