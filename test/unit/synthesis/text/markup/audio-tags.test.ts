import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { policyForLevel } from '../../../../../src/synthesis/text/chunk-policy.ts';
import { MarkedChunker } from '../../../../../src/synthesis/text/markup/marked-chunker.ts';
import { isAudible } from '../../../../../src/synthesis/text/markup/speech-markup.ts';

function read(fragments: readonly string[], kinds = { hasAudioTags: true }) {
  const chunker = new MarkedChunker(policyForLevel(0), 'en-US', kinds);
  const outputs = fragments.flatMap((fragment) => [...chunker.push(fragment)].flat());
  const all = [...outputs, ...chunker.flush()];
  return {
    said: all.map((output) => (output.type === 'chunk' ? output.text : '')).join(''),
    written: all.map(({ written }) => written).join(''),
    pausesMs: all.flatMap((output) => (output.type === 'pause' ? [output.durationMs] : [])),
  };
}

describe('an audio tag', () => {
  it.each([
    ...['laughs', 'LAUGHS', 'whispers', 'in a low voice', "child's voice", 'warm, friendly'],
    ...['semi-serious', 'lacht', 'French accent'],
  ])('is not read aloud: [%s]', (words) => {
    expect(read([`So [${words}] yes.`])).toEqual({
      said: 'So  yes.',
      written: `So [${words}] yes.`,
      pausesMs: [],
    });
  });

  it.each([
    ['pause', 500],
    ['Short pause', 250],
    ['brief pause', 250],
    ['long pause', 1200],
    ['silence', 500],
    ['beat', 500],
    ['pause 700ms', 700],
    ['pause for 1.5 seconds', 1500],
    ['pause 90s', 3000],
  ])('is silence: [%s]', (words, durationMs) => {
    expect(read([`One. [${words}] Two.`])).toMatchObject({ pausesMs: [durationMs] });
  });

  it.each([
    ...['[1]', '[t]he', '[sic]', '[Sic]', '[redacted]', '[she]', '[The]', '[emphasis added]'],
    ...[
      '[]',
      '[ ]',
      '[laughs',
      'laughs]',
      '[a b c d e f g]',
      '[x.y]',
      '[step 2]',
      '[pause 2 apples]',
    ],
    ...[`[${'very '.repeat(12)}long]`, '[[1]', 'a[0] = b[i]', '[ok?]'],
  ])('is not what else stands in brackets: %s', (text) => {
    expect(read([`So ${text} yes.`])).toMatchObject({ said: `So ${text} yes.`, pausesMs: [] });
  });

  it.each(['[our site](https://a.example)', '![a photo](b.png)'])(
    'is not the label of a link: %s',
    (text) => {
      for (const fragments of [[`See ${text} now.`], ['See ', ...text, ' now.']]) {
        expect(read(fragments)).toMatchObject({ said: `See ${text} now.` });
      }
    },
  );

  it('is one at the end of the text too', () => {
    expect(read(['Well. [our laughs]'])).toMatchObject({ said: 'Well. ' });
    expect(read(['One. [pause]'])).toMatchObject({ pausesMs: [500] });
    expect(read(['So [laughs] (quietly) yes.']).said).toBe('So  (quietly) yes.');
  });

  it('is text where nobody asked for tags', () => {
    const text = 'So [laughs] yes.';
    expect(read([text], { hasAudioTags: false }).said).toBe(text);
  });

  it('may stand beside other markup', () => {
    const { said, pausesMs } = read(['<b>So</b>[laughs]<break time="1s"/> a <b [sighs] c.']);
    expect(said).toBe('So a <b  c.');
    expect(pausesMs).toEqual([1000]);
  });

  it('does not depend on how the text is cut, and nothing of it is lost', () => {
    const piece = fc.constantFrom(
      '[laughs]',
      '[pause]',
      '[sic]',
      '[',
      ']',
      '(',
      '<b>',
      '<',
      ' so ',
      '1',
    );
    fc.assert(
      fc.property(fc.array(piece), fc.nat(), (pieces, seed) => {
        const text = pieces.join('');
        const whole = read([text]);
        expect(whole.written).toBe(text);
        const cuts = [...text].map((letter, at) =>
          (seed + at) % 3 === 0 ? `\0${letter}` : letter,
        );
        expect(read(cuts.join('').split('\0'))).toEqual(whole);
      }),
    );
  });
});

it('a text of tags alone is not heard, unless one is a pause', () => {
  const kinds = { hasAudioTags: true };
  expect(isAudible('[laughs] …', kinds, 'en')).toBe(false);
  expect(isAudible('[pause]', kinds, 'en')).toBe(true);
  expect(isAudible('[laughs] Ha.', kinds, 'en')).toBe(true);
});
