import { type JsonSchema, typesOf } from '../wire/json-schema.ts';

/**
 * A value that a schema takes: made of the examples, defaults and choices that it names. Of an
 * object it has the fields that must be there or, if none must, those that show an example.
 */
export function exampleOf(schema: JsonSchema): unknown {
  const { examples, anyOf, properties, required = [] } = schema;
  const named = [examples?.[0], schema.default, schema.const, schema.enum?.[0]];
  const given = named.find((value) => value !== undefined);
  if (given !== undefined) return given;
  if (anyOf?.[0]) return exampleOf(anyOf[0]);
  if (!properties) return plainExample(schema);
  const shown = Object.entries(properties).filter(
    ([name, field]) => required.includes(name) || (required.length === 0 && field.examples),
  );
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field)]));
}

function plainExample(schema: JsonSchema): unknown {
  switch (typesOf(schema)[0] ?? '') {
    case 'array':
      return schema.items ? [exampleOf(schema.items)] : [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return true;
    case 'object':
      return {};
    default:
      return 'text';
  }
}
