import { type JsonSchema, typesOf } from './json-schema.ts';

/** Spellings of the original's validator, in any case (https://docs.pydantic.dev, conversion table). */
const TRUE = /^(true|t|yes|y|on|1)$/i;
const FALSE = /^(false|f|no|n|off|0)$/i;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * A value in which text that spells a number or a truth value has become one, wherever the schema
 * wants that and not text. Clients spell values so in queries and forms, and some (jambonz) in
 * JSON as well. Nothing else is converted: what is of another type is for the validator to refuse.
 * Objects and lists are changed in place.
 */
export function readSpelled(value: unknown, schema: JsonSchema): unknown {
  if (typeof value === 'string') return spelledBy(value, typesOf(schema));
  if (typeof value !== 'object' || value === null) return value;
  const parts = [schema, ...(schema.anyOf ?? [])];
  if (Array.isArray(value)) {
    const items = parts.find((part) => part.items)?.items;
    return items ? value.map((item) => readSpelled(item, items)) : value;
  }
  const properties = parts.find((part) => part.properties)?.properties ?? {};
  const fields = value as Record<string, unknown>;
  for (const [name, property] of Object.entries(properties)) {
    if (Object.hasOwn(fields, name)) fields[name] = readSpelled(fields[name], property);
  }
  return value;
}

/** The same for a query string, where a list of one looks like no list, and null like an empty text. */
export function readSpelledQuery(query: unknown, schema: JsonSchema): unknown {
  const fields = query as Record<string, unknown>;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const types = typesOf(property);
    if (typeof fields[name] !== 'string' || types.includes('string')) continue;
    if (types.includes('array')) fields[name] = [fields[name]];
    else if (fields[name] === '' && types.includes('null')) fields[name] = null;
  }
  return readSpelled(query, schema);
}

function spelledBy(text: string, types: readonly string[]): unknown {
  if (types.includes('string')) return text;
  if (types.includes('boolean') && TRUE.test(text)) return true;
  if (types.includes('boolean') && FALSE.test(text)) return false;
  if (!NUMBER.test(text)) return text;
  const wants = types.includes('number') || (types.includes('integer') && isWhole(text));
  return wants ? Number(text) : text;
}

function isWhole(text: string): boolean {
  return Number.isInteger(Number(text));
}
