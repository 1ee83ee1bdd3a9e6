import { describe, expect, it } from 'vitest';
import { TagReader } from '../../../../../src/synthesis/text/markup/tag-reader.ts';

/** @returns the tag that a text begins with, or how much of it could have been one. */
function read(text: string) {
  const reader = new TagReader();
  for (const character of text.slice(1)) {
    const result = reader.take(character);
    if (result === false) return reader.written;
    if (result !== true) {
      const { kind, name, attributes } = result;
      return { kind, name, ...Object.fromEntries(attributes) };
    }
  }
  return reader.written;
}

describe('a reader of tags', () => {
  it.each([
    ['<break time="1.0s" />', { kind: 'empty', name: 'break', time: '1.0s' }],
    ['<break time="1s">', { kind: 'open', name: 'break', time: '1s' }],
    ["<BREAK Time='1s'/>", { kind: 'empty', name: 'break', time: '1s' }],
    ['<break time=1s/>', { kind: 'empty', name: 'break', time: '1s' }],
    ['<break time=“1s”/>', { kind: 'empty', name: 'break', time: '1s' }],
    [
      '<break\n time = "1s"strength="weak"/>',
      { kind: 'empty', name: 'break', time: '1s', strength: 'weak' },
    ],
    ['</speak >', { kind: 'close', name: 'speak' }],
    ['<sub alias="a &amp; b > c">', { kind: 'open', name: 'sub', alias: 'a & b > c' }],
    ['<amazon:effect level="x">', { kind: 'open', name: 'amazon:effect' }],
    ['<!-- a > b -->', { kind: 'open', name: '' }],
    ['<?xml version="1.0"?>', { kind: 'open', name: '' }],
  ])('reads %j', (text, tag) => {
    expect(read(text)).toMatchObject(tag);
  });

  it.each([
    ['< b', '<'],
    ['<3', '<'],
    ['<=', '<'],
    ['<y and x>', '<y and '],
    ['<me@example.com>', '<me'],
    ['<a<b>', '<a'],
    ['<a b="<c>', '<a b="'],
    ['<! so>', '<!'],
    ['</>', '</'],
    ['</a b="c">', '</a '],
  ])('sees as early as can be that %j is text', (text, taken) => {
    expect(read(text)).toBe(taken);
  });

  it('takes nothing that is longer than tags are', () => {
    expect(String(read(`<a b="${'x'.repeat(5000)}">`))).toHaveLength(400);
  });
});
