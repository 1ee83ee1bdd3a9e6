import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitClauses } from '../../../../src/synthesis/phonemes/clauses.ts';

/** The clauses' texts, each with the symbol of its mark behind it. */
function clausesOf(text: string, language = 'en-us'): string[] {
  return splitClauses(text, language).map(
    ({ start, end, mark }) => `${text.slice(start, mark?.start ?? end)}|${mark?.symbol ?? ''}`,
  );
}

describe('splitClauses', () => {
  it.each([
    ['Hello, world.', ['Hello|,', 'world|.']],
    ['Yes! Really? No: yes; no — yes', ['Yes|!', 'Really|?', 'No|:', 'yes|;', 'no |;', 'yes|']],
    ['At 3:15, pay 1,000.50 at a.com/b.', ['At 3:15|,', 'pay 1,000.50 at a.com/b|.']],
    ['“Hello,” she said. (Good.) Bye', ['“Hello|,', '” she said|.', '(Good|.', ') Bye|']],
    ['What?! Really...?', ['What|?', 'Really|?']],
    ['I see… well. And then…', ['I see|;', 'well|.', 'And then|.']],
    ['wait...what', ['wait|;', 'what|']],
    ['One\n\nTwo\nthree', ['One|.', 'Two\nthree|']],
    ['... and so', ['... and so|']],
    ['', []],
  ])('splits %j', (text, expected) => {
    expect(clausesOf(text)).toEqual(expected);
  });

  it.each([
    [
      'Dr. Smith met J. Jones, etc., and left.',
      ['Dr. Smith met J. Jones|,', 'etc|,', 'and left|.'],
    ],
    [
      'It is 8 p.m. now. Then we left at 9 p.m. We',
      ['It is 8 p.m. now|.', 'Then we left at 9 p.m|.', 'We|'],
    ],
    ['The U.S.A. is big. So am I. Yes', ['The U.S.A. is big|.', 'So am I|.', 'Yes|']],
    ['Room No. 5. No. Maybe', ['Room No. 5|.', 'No|.', 'Maybe|']],
    ['e.g. this. i.e. That', ['e.g. this. i.e. That|']],
  ])('knows the dots that end no sentence in %j', (text, expected) => {
    expect(clausesOf(text)).toEqual(expected);
  });

  it('reads the ordinals of German', () => {
    expect(clausesOf('Am 3. Mai kam er.', 'de')).toEqual(['Am 3. Mai kam er|.']);
    expect(clausesOf('It was 3. May we go?')).toEqual(['It was 3|.', 'May we go|?']);
  });

  it.each([
    ['你好，世界。今天！', ['你好|,', '世界|.', '今天|!']],
    ['こんにちは、元気？', ['こんにちは|,', '元気|?']],
    ['مرحبا، كيف؟ نعم؛ لا۔', ['مرحبا|,', 'كيف|?', 'نعم|;', 'لا|.']],
    ['नमस्ते। ठीक॥', ['नमस्ते|.', 'ठीक|.']],
    ['Τι κάνεις\u037e', ['Τι κάνεις|?']],
    ['¿Qué? ¡Sí!', ['¿Qué|?', '¡Sí|!']],
  ])('hears the marks of every script in %j', (text, expected) => {
    expect(clausesOf(text)).toEqual(expected);
  });

  it('cuts what is too long for one clause, at spaces and never inside a cluster', () => {
    const words = clausesOf('abc '.repeat(300).trim());
    expect(words.length).toBeGreaterThan(2);
    for (const clause of words) expect(clause).toMatch(/^abc( abc)*\|$/u);

    const family = '👨‍👩‍👧';
    for (const clause of clausesOf(family.repeat(200))) {
      expect(clause.replaceAll(family, '')).toBe('|');
    }
    const pile = `e${'\u0301'.repeat(2000)}`;
    expect(clausesOf(pile)).toEqual([`${pile}|`]);
  });

  it('keeps clauses in order, apart, and loses nothing but space', () => {
    const text = fc
      .array(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom('a', 'B.', ', ', '… ', '\n\n', '。', ') ', '3'),
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (text) => {
        let end = 0;
        for (const clause of splitClauses(text, 'en-us')) {
          expect(clause.start).toBeGreaterThanOrEqual(end);
          expect(text.slice(end, clause.start).trim()).toBe('');
          expect(clause.end).toBeGreaterThan(clause.start);
          if (clause.mark) {
            expect(clause.mark.end).toBe(clause.end);
            expect(clause.mark.start).toBeGreaterThanOrEqual(clause.start);
          }
          end = clause.end;
        }
        expect(text.slice(end).trim()).toBe('');
      }),
    );
  });
});
