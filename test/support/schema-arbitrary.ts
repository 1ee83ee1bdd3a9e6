import fc from 'fast-check';
import type { OpenApiDocument } from '../../src/api/documents/openapi-document.ts';
import { type JsonSchema, typesOf } from '../../src/api/wire/json-schema.ts';

/** Longer texts cost seconds of speech, and say no more. */
const MAX_LENGTH = 30;
const MAX_ITEMS = 3;

/** Values by the name of their field, where what exists on the server is worth more than anything made up. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

/** What no schema asks for, and clients send all the same. */
export const hostileValue: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  '\0',
  '\ud800',
  'true',
  'NaN',
  '1e999',
  '-1',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '%00',
  "' OR 1=1 --",
  '"><script>alert(1)</script>',
  '\u202e\u0000\u200d',
  '🏳️‍🌈'.repeat(20),
  'x'.repeat(70_000),
  'x '.repeat(500_000),
  [],
  [[]],
  [null],
  {},
  { toString: 1, length: -1 },
  JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{}}}'),
);

/**
 * Values that a schema of the document takes, or nearly: patterns and formats that only the server
 * knows may still be missed.
 */
export function arbitraryOf(
  document: OpenApiDocument,
  schema: JsonSchema,
  known: KnownValues,
  name = '',
): fc.Arbitrary<unknown> {
  const { $ref, anyOf, properties } = schema;
  const inner = (part: JsonSchema, partName = name) => arbitraryOf(document, part, known, partName);
  const values = known[name];
  if (values && !properties) return fc.constantFrom(...values);
  if ($ref !== undefined) {
    return inner(document.components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {});
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (anyOf) return fc.oneof(...anyOf.map((part) => inner(part)));
  if (properties) return objectOf(schema, inner);
  const types = typesOf(schema);
  if (types.length > 1) return fc.oneof(...types.map((type) => inner({ ...schema, type })));
  return types[0] === 'array' ? listOf(schema, inner) : plainValue(types[0], schema, inner);
}

type Inner = (part: JsonSchema, name?: string) => fc.Arbitrary<unknown>;

function listOf({ items = {}, minItems = 0, maxItems = MAX_ITEMS }: JsonSchema, inner: Inner) {
  return fc.array(inner(items), {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(maxItems, MAX_ITEMS)),
  });
}

function objectOf({ properties = {}, required = [] }: JsonSchema, inner: Inner) {
  const fields: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, part] of Object.entries(properties)) fields[name] = inner(part, name);
  const requiredFields = Object.fromEntries(
    Object.entries(fields).filter(([name]) => required.includes(name)),
  );
  return fc.oneof(
    fc.record(fields, { requiredKeys: [...(required as string[])] }),
    fc.record(requiredFields),
  );
}

function plainValue(
  type: string | undefined,
  schema: JsonSchema,
  inner: Inner,
): fc.Arbitrary<unknown> {
  const {
    additionalProperties,
    minimum,
    maximum,
    minLength = 0,
    maxLength = MAX_LENGTH,
    pattern,
    examples,
  } = schema;
  switch (type ?? '') {
    case 'integer':
      return fc.integer({ min: minimum ?? -5, max: Math.min(maximum ?? 1000, 2 ** 31 - 1) });
    case 'number':
      return fc.double({ min: minimum ?? -5, max: maximum ?? 1000, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'object':
      return typeof additionalProperties === 'object'
        ? fc.dictionary(fc.string({ maxLength: 10 }), inner(additionalProperties), { maxKeys: 3 })
        : fc.constant({});
    default: {
      if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
      const made = fc.string({
        minLength,
        maxLength: Math.min(maxLength, MAX_LENGTH),
        unit: 'grapheme',
      });
      return examples ? fc.oneof(fc.constantFrom(...examples), made) : made;
    }
  }
}
