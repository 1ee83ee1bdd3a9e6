import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextMapBuilder } from '../../../../src/synthesis/text/normaliser/text-map-builder.ts';
import type { TextMap } from '../../../../src/synthesis/text/pronunciation.ts';
import { composeMaps, identityMap } from '../../../../src/synthesis/text/text-maps.ts';

type Replacement = readonly [start: number, end: number, spoken: string];

function mapOf(original: string, ...replacements: readonly Replacement[]): TextMap {
  const builder = new TextMapBuilder(original);
  for (const [start, end, spoken] of replacements) builder.replace(start, end, spoken);
  return builder.build();
}

/** Each stretch as "original>spoken". */
function stretchesOf({ original, spoken, segments }: TextMap): readonly string[] {
  return segments.map(
    ({ originalStart, originalEnd, spokenStart, spokenEnd }) =>
      `${original.slice(originalStart, originalEnd)}>${spoken.slice(spokenStart, spokenEnd)}`,
  );
}

function expectCover({ original, spoken, segments }: TextMap): void {
  let [originalEnd, spokenEnd] = [0, 0];
  for (const segment of segments) {
    expect(segment).toMatchObject({ originalStart: originalEnd, spokenStart: spokenEnd });
    expect(segment.originalEnd).toBeGreaterThanOrEqual(originalEnd);
    expect(segment.spokenEnd).toBeGreaterThanOrEqual(spokenEnd);
    ({ originalEnd, spokenEnd } = segment);
  }
  expect([originalEnd, spokenEnd]).toEqual([original.length, spoken.length]);
}

/** Texts of few letters, and maps of them: stretches replaced, dropped, or replaced by themselves. */
const someText = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '😀'), maxLength: 16 });
function someMap(original: string): fc.Arbitrary<TextMap> {
  const piece = fc.tuple(fc.nat({ max: 3 }), fc.integer({ min: 1, max: 3 }), someText);
  return fc.array(piece, { maxLength: 5 }).map((pieces) => {
    const replacements: Replacement[] = [];
    let at = 0;
    for (const [gap, length, spoken] of pieces) {
      const start = at + gap;
      if (start + length > original.length) break;
      replacements.push([start, start + length, spoken]);
      at = start + length;
    }
    return mapOf(original, ...replacements);
  });
}
const twoMaps = someText
  .chain(someMap)
  .chain((first) => fc.tuple(fc.constant(first), someMap(first.spoken)));

describe('composeMaps', () => {
  it('keeps apart what only one map changes', () => {
    const first = mapOf('UN pays $5.', [0, 2, 'United Nations']);
    const second = mapOf(first.spoken, [20, 22, 'five dollars']);
    expect(stretchesOf(composeMaps(first, second))).toEqual([
      'UN>United Nations',
      ' pays > pays ',
      '$5>five dollars',
      '.>.',
    ]);
  });

  it.each([
    ['changes within what the first put in', 'x 5 y', [2, 3, '2 3'], [2, 3, 'two'], '5>two 3'],
    ['changes across its edge', 'x 5 y', [2, 3, '5 1'], [4, 6, 'un'], '5 >5 un'],
    ['drops what the first put in', 'x 5 y', [2, 3, 'q'], [2, 3, ''], '5>'],
    ['speaks what was there before', 'x 5 y', [2, 3, 'q'], [2, 3, '5'], '5>5'],
  ] as const)('joins what the second map %s', (_, original, first, second, expected) => {
    const inner = mapOf(original, first);
    expect(stretchesOf(composeMaps(inner, mapOf(inner.spoken, second)))).toContain(expected);
  });

  it('keeps text that the first map drops where it was', () => {
    const first = mapOf('a--b', [1, 3, '']);
    expect(stretchesOf(composeMaps(first, mapOf('ab', [0, 1, 'A'])))).toEqual([
      'a>A',
      '-->',
      'b>b',
    ]);
  });

  it('covers both texts, in order, whatever the maps', () => {
    fc.assert(
      fc.property(twoMaps, ([first, second]) => {
        const composed = composeMaps(first, second);
        expect(composed).toMatchObject({ original: first.original, spoken: second.spoken });
        expectCover(composed);
      }),
    );
  });

  it('keeps what both maps keep, character by character', () => {
    fc.assert(
      fc.property(twoMaps, ([first, second]) => {
        const composed = composeMaps(first, second);
        for (let position = 0; position < first.original.length; position++) {
          const middle = placeOf(first, position);
          const place = middle === undefined ? undefined : placeOf(second, middle);
          if (place !== undefined) expect(placeOf(composed, position)).toBe(place);
        }
      }),
    );
  });

  it('changes nothing when one of the maps does not', () => {
    fc.assert(
      fc.property(someText.chain(someMap), (map) => {
        const merged = stretchesOf(composeMaps(map, identityMap(map.spoken)));
        expect(stretchesOf(composeMaps(identityMap(map.original), map))).toEqual(merged);
        expect(composeMaps(map, identityMap(map.spoken)).spoken).toBe(map.spoken);
      }),
    );
  });

  it('refuses a second map of another text', () => {
    expect(() => composeMaps(identityMap('a'), identityMap('ab'))).toThrow(RangeError);
  });
});

/** Where a character that a map keeps is spoken. */
function placeOf({ original, spoken, segments }: TextMap, position: number): number | undefined {
  const segment = segments.find(
    ({ originalStart, originalEnd }) => originalStart <= position && position < originalEnd,
  );
  if (!segment) return undefined;
  const { originalStart, originalEnd, spokenStart, spokenEnd } = segment;
  const isKept =
    original.slice(originalStart, originalEnd) === spoken.slice(spokenStart, spokenEnd);
  return isKept ? spokenStart + position - originalStart : undefined;
}
