import { describe, expect, it } from 'vitest';
import { SpeechError } from '../../../../src/domain/errors.ts';
import { assertReadable } from '../../../../src/synthesis/text/script.ts';

const GREETINGS: Readonly<Record<string, string>> = {
  cmn: '你好，世界',
  ko: '안녕하세요 세계',
  nl: 'Goedemorgen, wereld',
  tr: 'Günaydın dünya',
  sv: 'Hej världen',
  id: 'Selamat pagi dunia',
  fil: 'Magandang umaga',
  ja: 'おはよう、世界。ラーメンとコーヒー',
  uk: 'Доброго ранку, світе',
  el: 'Καλημέρα κόσμε',
  cs: 'Dobré ráno, světe',
  fi: 'Hyvää huomenta',
  ro: 'Bună dimineața',
  ru: 'Доброе утро, мир',
  da: 'God morgen, verden på æø',
  bg: 'Добро утро, свят',
  ms: 'Selamat pagi',
  sk: 'Dobré ráno, svet',
  hr: 'Dobro jutro, svijete',
  ar: 'صباح الخير يا عالم',
  ta: 'காலை வணக்கம்',
  'en-us': 'Good morning, world',
  pl: 'Dzień dobry, świecie',
  de: 'Schöne Grüße',
  es: 'Buenos días, señor',
  'fr-fr': 'Ça va, garçon',
  it: 'Perché è così',
  hi: 'सुप्रभात दुनिया',
  'pt-br': 'Bom dia, coração',
};

function codeOf(text: string, language: string): string {
  try {
    assertReadable(text, language);
    return 'readable';
  } catch (error) {
    return error instanceof SpeechError ? error.code : String(error);
  }
}

describe('assertReadable', () => {
  it.each(Object.entries(GREETINGS))(
    'lets %s read its own script, and Latin letters',
    (language, text) => {
      expect(codeOf(text, language)).toBe('readable');
      expect(codeOf('Hello, world: 42 — 50 €', language)).toBe('readable');
    },
  );

  it.each([
    ['en-us', 'Привет, как дела?', 'English', 'Cyrillic script (Russian)'],
    ['pt-br', '你好，世界', 'Portuguese', 'Han script (Chinese or Japanese)'],
    ['ru', 'שלום עולם', 'Russian', 'Hebrew'],
    ['el', 'नमस्ते दुनिया', 'Greek', 'Devanagari script (Hindi)'],
    ['cmn', '안녕하세요', 'Chinese', 'Hangul script (Korean)'],
    ['ko', 'ひらがな', 'Korean', 'Hiragana script (Japanese)'],
    ['de', 'ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ', 'German', 'a script that no voice here reads'],
  ])('says what a %s voice cannot read in %j', (language, text, speaks, looksLike) => {
    expect(() => assertReadable(text, language)).toThrow(
      expect.objectContaining({
        code: 'unsupported_script',
        param: 'text',
        message: expect.stringMatching(
          new RegExp(`${speaks}.*${looksLike.replace(/[()]/gu, '\\$&')}`, 'u'),
        ),
      }),
    );
  });

  it('lets a few foreign words through', () => {
    expect(codeOf('The Greek letter λ, and the word мир.', 'en-us')).toBe('readable');
    expect(codeOf('Это слово is мир и только', 'en-us')).toBe('unsupported_script');
  });

  it('has nothing against text without letters', () => {
    for (const text of ['', '…', '42', '😀👍🏽', '\ud83d\0\u200f']) {
      expect(codeOf(text, 'en-us')).toBe('readable');
    }
  });

  it('leaves languages that it does not know to the phonemiser', () => {
    expect(codeOf('ᏣᎳᎩ', 'chr')).toBe('readable');
    expect(codeOf('Привет', 'xx')).toBe('readable');
  });

  it('decides on long text', () => {
    expect(codeOf('я'.repeat(65_536), 'en-us')).toBe('unsupported_script');
    expect(codeOf('é'.repeat(65_536), 'en-us')).toBe('readable');
  });
});
