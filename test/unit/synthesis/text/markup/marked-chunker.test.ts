import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  policyForAutoMode,
  policyForLevel,
} from '../../../../../src/synthesis/text/chunk-policy.ts';
import {
  MarkedChunker,
  type MarkedOutput,
} from '../../../../../src/synthesis/text/markup/marked-chunker.ts';

function outputsOf(fragments: readonly string[], isSsml = false): readonly MarkedOutput[] {
  const chunker = new MarkedChunker(policyForLevel(0), 'en-US', { isSsml });
  const outputs = fragments.flatMap((fragment) => [...chunker.push(fragment)].flat());
  return [...outputs, ...chunker.flush()];
}

/** What is heard, with pauses as their milliseconds. */
function heard(fragments: readonly string[] | string, isSsml = false): string {
  const outputs = outputsOf(typeof fragments === 'string' ? [fragments] : fragments, isSsml);
  return outputs
    .map((output) => (output.type === 'pause' ? `[${output.durationMs}]` : output.text))
    .join('');
}

const written = (outputs: readonly MarkedOutput[]) =>
  outputs.map((output) => output.written).join('');

/** Pieces of markup and of text that only looks like it. */
const PIECES = [
  ...['<', '>', '<a', '</', '"', "'", '=', '&', '&amp;', '&#3', ';', '/>', '-->', '<!--', ' '],
  ...['<break time="1s"/>', '<prosody rate="slow">', '</prosody>', '<sub alias="x">', '</sub>'],
  ...[
    '<phoneme ph="a">',
    '</phoneme>',
    '<speak>',
    '</speak>',
    'Hello.',
    ' word',
    'é',
    '👩‍👩‍👧',
    '1',
  ],
];
const markup = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 3 })), {
  maxLength: 40,
});

function cutInto(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

describe('a chunker for text with markup', () => {
  it('leaves text without markup as it is, however it is cut', () => {
    const plain = fc.string({ unit: 'grapheme', maxLength: 200 });
    const sign = fc.constantFrom('a < b', ' <3', 'x<y ', '1 > 0', ' & ', 'R&D', '<-', '<>');
    fc.assert(
      fc.property(
        fc.array(fc.oneof(plain, sign)),
        fc.integer({ min: 1, max: 7 }),
        (parts, size) => {
          const text = parts.join('').replaceAll(/<(?=[\p{L}_/!?])/gu, '< ');
          expect(heard(cutInto(text, size))).toBe(text);
          expect(outputsOf([text]).every((output) => !('markup' in output))).toBe(true);
        },
      ),
    );
  });

  it('loses, repeats and moves nothing that was written, whatever it is', () => {
    fc.assert(
      fc.property(markup, fc.integer({ min: 1, max: 9 }), fc.boolean(), (parts, size, isSsml) => {
        const text = parts.join('');
        const outputs = outputsOf(cutInto(text, size), isSsml);
        expect(written(outputs)).toBe(text);
        for (const output of outputs) {
          if (output.type === 'pause' || !output.markup) continue;
          expect(output.markup.map.original).toBe(output.written);
          expect(output.markup.map.spoken).toBe(output.text);
        }
      }),
    );
  });

  it('hears the same however markup is cut into fragments', () => {
    fc.assert(
      fc.property(markup, fc.integer({ min: 1, max: 9 }), fc.boolean(), (parts, size, isSsml) => {
        const text = parts.join('');
        expect(heard(cutInto(text, size), isSsml)).toBe(heard(text, isSsml));
      }),
    );
  });

  it.each([
    ['Wait.<break time="1s"/> Go.', 'Wait.[1000] Go.'],
    ['Wait <break time="1.5s" /> go', 'Wait [1500] go'],
    ['<break time="250ms"/>Go', '[250]Go'],
    ['a<break time="10s"/>b', 'a[3000]b'],
    ['a<break/>b<break strength="x-strong"/>c<break strength="none"/>d', 'a[500]b[1200]cd'],
    ['a<break time="soon" strength="weak">b</break>', 'a[250]b'],
    ['<b>Bold</b> and <i class="x">thin</i>', 'Bold and thin'],
    ['One<br>two<br/>three', 'One\ntwo\nthree'],
    ['<phoneme ph="x">tomato</phoneme> & &amp;', 'tomato & &amp;'],
    ['a < b, <3 and x<y', 'a < b, <3 and x<y'],
    ['The end <break time="1', 'The end <break time="1'],
    ['<speak>R&amp;D &lt;3</speak> &amp;', 'R&D <3 &amp;'],
  ])('hears in %j %j', (text, expected) => {
    expect(heard(text)).toBe(expected);
  });

  it.each([
    ['The <sub alias="World Wide Web">WWW</sub>!', 'The World Wide Web!'],
    ['<sub alias="yes"/>', 'yes'],
    ['<say-as interpret-as="characters">AB12</say-as>', 'A-B one two'],
    ['<say-as interpret-as="spell-out">cat</say-as>', 'C A-T'],
    ['<say-as interpret-as="digits">1984</say-as>', 'one nine eight four'],
    ['<say-as interpret-as="cardinal">1,984</say-as>', 'one thousand nine hundred eighty-four'],
    ['<say-as interpret-as="ordinal">21</say-as>', 'twenty-first'],
    [
      '<say-as interpret-as="telephone">212-555-0123</say-as>',
      'two one two, five five five, zero one two three',
    ],
    ['<say-as interpret-as="telephone">4711</say-as>', 'four seven one one'],
    [
      '<say-as interpret-as="date" format="dmy">3/4/2026</say-as>',
      'April third, twenty twenty-six',
    ],
    ['<say-as interpret-as="date" format="md">3/4</say-as>', 'March fourth'],
    [
      '<say-as interpret-as="date">2026-11-22</say-as>',
      'November twenty-second, twenty twenty-six',
    ],
    ['<say-as interpret-as="time">3:15pm</say-as>', 'three fifteen p.m.'],
    ['<say-as interpret-as="mood">1984</say-as>', '1984'],
    ['<emphasis level="strong">Now</emphasis>, R&#38;D', 'Now, R&D'],
    ['<sub alias="x">never closed', 'never closed'],
    ['a </sub></prosody></speak> b', 'a  b'],
    ['AT&T &unknown; &', 'AT&T &unknown; &'],
  ])('hears in the SSML %j %j', (text, expected) => {
    expect(heard(text, true)).toBe(expected);
  });

  it('reads letters and digits apart in other languages', () => {
    const chunker = new MarkedChunker(policyForLevel(0), 'de-DE', { isSsml: true });
    const text =
      '<say-as interpret-as="digits">1984</say-as> <say-as interpret-as="characters">übel</say-as>';
    const outputs = [...[...chunker.push(text)].flat(), ...chunker.flush()];
    expect(outputs.map((output) => (output.type === 'chunk' ? output.text : '')).join('')).toBe(
      '1 9 8 4 ü b e l',
    );
  });

  it('cuts where a pause stands, at once', () => {
    const chunker = new MarkedChunker(policyForLevel(0), 'en-US');
    expect([...chunker.push('Well, <bre')].flat()).toEqual([]);
    const [chunk, pause] = [...chunker.push('ak time="1s"/> let me see')].flat();
    expect(chunk).toMatchObject({ type: 'chunk', text: 'Well, ', isSpeakable: true });
    expect(pause).toEqual({ type: 'pause', written: '<break time="1s"/>', durationMs: 1000 });
  });

  it('changes the pace where SSML asks for it, within what can be followed', () => {
    const text =
      'a<prosody rate="slow">b<prosody rate="80%">c</prosody>d</prosody>e<prosody rate="+900%">f</prosody>';
    const paces = outputsOf([text], true).map((output) =>
      output.type === 'chunk' && output.isSpeakable ? [output.text, output.pace] : [],
    );
    expect(paces.filter((pair) => pair.length > 0)).toEqual([
      ...[
        ['a', 1],
        ['b', 0.75],
        ['c', 0.6000000000000001],
        ['d', 0.75],
        ['e', 1],
        ['f', 2],
      ],
    ]);
  });

  it('says how a stretch sounds, and never cuts it', () => {
    const word = '<phoneme alphabet="ipa" ph="təˈmeɪtoʊ">to. mato</phoneme>';
    const [chunk] = outputsOf([`A ${word} now.`], true);
    expect(chunk).toMatchObject({
      text: 'A to-mato now.',
      markup: { phonemes: [{ start: 2, end: 9, rule: { type: 'phoneme', alphabet: 'ipa' } }] },
    });
  });

  it('does not make the first word of auto mode wait for tags', () => {
    const chunker = new MarkedChunker(policyForAutoMode(), 'en-US');
    const [chunk] = [...chunker.push('<i>Hello <b>there</b>, my ')].flat();
    expect(chunk).toMatchObject({ text: 'Hello there, my', written: '<i>Hello <b>there</b>, my' });
  });
});
