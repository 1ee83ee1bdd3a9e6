import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonExcess, MAX_JSON_DEPTH, parseBoundedJson } from '../../../src/domain/bounded-json.ts';

const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;

describe('JSON of a stranger', () => {
  it('is parsed up to the depth that is allowed', () => {
    expect(parseBoundedJson(nested(MAX_JSON_DEPTH))).toEqual(JSON.parse(nested(MAX_JSON_DEPTH)));
    expect(() => parseBoundedJson(nested(MAX_JSON_DEPTH + 2))).toThrow(SyntaxError);
    expect(() => parseBoundedJson('['.repeat(60_000))).toThrow(/deeper/);
  });

  it('is as deep as its brackets, not those in its texts', () => {
    const brackets = '[{'.repeat(100);
    const texts = JSON.stringify({ text: `\\" ${brackets} \\\\`, list: [brackets] });
    expect(jsonExcess(texts)).toBeUndefined();
    expect(jsonExcess(`{"a\\\\":${nested(MAX_JSON_DEPTH)}}`)).toContain('32 levels');
  });

  it('has as many values as are quickly read', () => {
    expect(jsonExcess(JSON.stringify(new Array(25_000).fill('a,b')))).toBeUndefined();
    expect(jsonExcess(JSON.stringify(new Array(25_001).fill(1)))).toContain('25000 values');
    expect(jsonExcess(JSON.stringify(new Array(13_000).fill([])))).toContain('25000 values');
  });

  it('is otherwise what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (json) => {
        expect(parseBoundedJson(json)).toEqual(JSON.parse(json));
      }),
    );
  });
});
