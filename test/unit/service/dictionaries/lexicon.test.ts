import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DictionaryRule } from '../../../../src/domain/dictionary.ts';
import { readLexicon } from '../../../../src/service/dictionaries/lexicon-reader.ts';
import { writeLexicon } from '../../../../src/service/dictionaries/lexicon-writer.ts';
import { alias, phoneme } from '../../synthesis/text/dictionary/rules.ts';

const HEAD = '<lexicon xmlns="http://www.w3.org/2005/01/pronunciation-lexicon" alphabet="ipa">';
const LEXEME = '<lexeme><grapheme>a</grapheme><alias>b</alias></lexeme>';

function fixture(name: string): Buffer {
  return readFileSync(new URL(`../../../fixtures/pls/${name}`, import.meta.url));
}

function read(xml: string): Promise<readonly DictionaryRule[]> {
  return readLexicon(Buffer.from(xml));
}

describe('readLexicon', () => {
  it('makes a rule for each grapheme, with its preferred reading', async () => {
    expect(await readLexicon(fixture('airport.pls'))).toEqual([
      phoneme('Heathrow', 'ˈhiːθɹoʊ'),
      alias('AT&T', 'A T and T'),
      alias('A<T', 'A T and T'),
      phoneme('lead', 'L EH1 D', { alphabet: 'cmu-arpabet' }),
    ]);
  });

  it.each([
    ['UTF-16, little-endian', Buffer.from(`\ufeff${HEAD}${LEXEME}</lexicon>`, 'utf16le')],
    ['UTF-16, big-endian', Buffer.from(`\ufeff${HEAD}${LEXEME}</lexicon>`, 'utf16le').swap16()],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${HEAD}${LEXEME}</lexicon>`)],
    ['no namespace', Buffer.from(`<lexicon>${LEXEME}</lexicon>`)],
  ])('takes %s', async (_, file) => {
    expect(await readLexicon(file)).toEqual([alias('a', 'b')]);
  });

  it('takes a lexicon without lexemes', async () => {
    expect(await read(`${HEAD}</lexicon>`)).toEqual([]);
  });

  it.each(['billion-laughs.pls', 'external-entity.pls'])(
    'refuses the document type of %s',
    async (name) => {
      await expect(readLexicon(fixture(name))).rejects.toThrow(/document type/);
    },
  );

  it.each([
    [
      'an entity that XML itself does not have',
      `${HEAD}<lexeme>&foo;</lexeme></lexicon>`,
      /entity/,
    ],
    ['what is not XML', 'hello', /well-formed/],
    ['nothing', '', /well-formed/],
    ['a file that is cut short', `${HEAD}${LEXEME}`, /well-formed/],
    ['another document', '<html xmlns="http://www.w3.org/1999/xhtml"/>', /<html>, not <lexicon>/],
    ['another lexicon', '<lexicon xmlns="urn:other"/>', /not <lexicon>/],
    ['deep nesting', `${HEAD}${'<a>'.repeat(10)}${'</a>'.repeat(10)}</lexicon>`, /nested/],
    ['another encoding', `<?xml version="1.0" encoding="ISO-8859-1"?>${HEAD}</lexicon>`, /UTF-8/],
    [
      'a lexeme without reading',
      `${HEAD}<lexeme><grapheme>a</grapheme></lexeme></lexicon>`,
      /line 1/,
    ],
    ['a lexeme without grapheme', `${HEAD}<lexeme><alias>a</alias></lexeme></lexicon>`, /line 1/],
    [
      'phonemes that are not of their alphabet',
      `${HEAD}<lexeme><grapheme>a</grapheme><phoneme>T-AH</phoneme></lexeme></lexicon>`,
      /not IPA/,
    ],
    [
      'an alphabet that is not known',
      `${HEAD}<lexeme><grapheme>a</grapheme><phoneme alphabet="x-sampa">a</phoneme></lexeme></lexicon>`,
      /"x-sampa" is not known/,
    ],
    [
      'an alphabet that is not named',
      '<lexicon><lexeme><grapheme>a</grapheme><phoneme>a</phoneme></lexeme></lexicon>',
      /none is named/,
    ],
  ])('refuses %s, and says so', async (_, xml, reason) => {
    await expect(read(xml)).rejects.toThrow(reason);
    await expect(read(xml)).rejects.toMatchObject({ code: 'invalid_input_message' });
  });

  it('refuses bytes that are no text, compressed ones among them', async () => {
    await expect(readLexicon(Buffer.from([0x3c, 0xff, 0xfe, 0x3e]))).rejects.toThrow(/not text/);
    await expect(readLexicon(gzipSync(Buffer.alloc(10_000)))).rejects.toThrow(/not text/);
  });

  it('never fails in another way, whatever the file', async () => {
    const part = fc.constantFrom(
      ...['<lexicon>', '</lexicon>', '<lexeme ', '>', '<grapheme>', '</grapheme>', '<alias/>', 'a'],
      ...[
        '&amp;',
        '&x;',
        '<![CDATA[',
        ']]>',
        '<!--',
        '-->',
        '<?x',
        '?>',
        '<!DOCTYPE',
        '"',
        '\0',
        ' ',
      ],
    );
    const file = fc.oneof(
      fc.array(part, { maxLength: 20 }).map((parts) => Buffer.from(parts.join(''))),
      fc.uint8Array({ maxLength: 50 }),
    );
    await fc.assert(
      fc.asyncProperty(file, async (bytes) => {
        try {
          await readLexicon(bytes);
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: 'invalid_input_message' });
        }
      }),
    );
  });

  it('lets others have their turn while it reads a long file', async () => {
    const lexemes = Array.from(
      { length: 9000 },
      (_, index) => `<lexeme><grapheme>w${index} 😀</grapheme><alias>a word</alias></lexeme>`,
    );
    let turns = 0;
    let isRead = false;
    const reading = read(`${HEAD}${lexemes.join('')}</lexicon>`).finally(() => {
      isRead = true;
    });
    while (!isRead) {
      turns++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await reading).at(-1)).toEqual(alias('w8999 😀', 'a word'));
    expect(turns).toBeGreaterThan(30);
  });

  it('refuses more rules than a dictionary can have', async () => {
    const graphemes = Array.from(
      { length: 10_001 },
      (_, index) => `<grapheme>w${index}</grapheme>`,
    );
    const xml = `${HEAD}<lexeme>${graphemes.join('')}<alias>b</alias></lexeme></lexicon>`;
    await expect(read(xml)).rejects.toThrow(/more than 10000 rules/);
  });
});

describe('writeLexicon', () => {
  const word = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    .map((text) => text.replace(/[\s\p{Cc}\p{Cs}\ufffe\uffff]+/gu, ' ').trim())
    .filter((text) => text !== '');
  const options = fc.record({ caseSensitive: fc.boolean(), wordBoundaries: fc.boolean() });
  const rule = fc
    .tuple(word, word, options, fc.constantFrom('alias', 'ipa', 'cmu-arpabet'))
    .map(([text, words, options, kind]) => {
      if (kind === 'alias') return alias(text, words, options);
      if (kind === 'ipa') return phoneme(text, 'ˈaɪ', options);
      return phoneme(text, 'AY1', { ...options, alphabet: 'cmu-arpabet' });
    });

  it('writes what readLexicon reads back', async () => {
    const rules = fc.uniqueArray(rule, {
      maxLength: 6,
      selector: ({ stringToReplace }) => stringToReplace,
    });
    await fc.assert(
      fc.asyncProperty(rules, async (rules) => {
        expect(await read(writeLexicon(rules))).toEqual(rules);
      }),
    );
  });

  it('writes plain PLS where the rules are plain', () => {
    expect(writeLexicon([alias('<&>', '"b"'), phoneme('c', 'k')])).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<lexicon version="1.0" xmlns="http://www.w3.org/2005/01/pronunciation-lexicon" xmlns:sidetone="urn:sidetone:lexicon" alphabet="ipa" xml:lang="und">',
        '  <lexeme>',
        '    <grapheme>&lt;&amp;&gt;</grapheme>',
        '    <alias>&quot;b&quot;</alias>',
        '  </lexeme>',
        '  <lexeme>',
        '    <grapheme>c</grapheme>',
        '    <phoneme>k</phoneme>',
        '  </lexeme>',
        '</lexicon>',
        '',
      ].join('\n'),
    );
  });
});
