import { type JsonSchema, typesOf } from './json-schema.ts';

/** Spellings of the original's validator, in any case (https://docs.pydantic.dev, conversion table). */
const TRUE = /^(true|t|yes|y|on|1)$/i;
const FALSE = /^(false|f|no|n|off|0)$/i;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * A value in which text that spells a number or a truth value has become one, wherever the schema
 * wants that and not text; and so have the 1 and 0 that stand for true and false, and the true and
 * false that stand for a number. Clients spell values so in queries and forms, and some in JSON as
 * well. Nothing else is converted: what is of another type is for the validator to refuse. Objects
 * and lists are changed in place.
 */
export function readSpelled(value: unknown, schema: JsonSchema): unknown {
  if (typeof value !== 'object') return readPlain(value, typesOf(schema));
  if (value === null) return value;
  const parts = [schema, ...(schema.anyOf ?? [])];
  if (Array.isArray(value)) {
    const items = parts.find((part) => part.items)?.items;
    return items ? value.map((item) => readSpelled(item, items)) : value;
  }
  const properties = parts.find((part) => part.properties)?.properties ?? {};
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property) fields[name] = readSpelled(fields[name], property);
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

/** @returns the truth value that a text spells; undefined when it spells none. */
export function spelledTruth(text: string): boolean | undefined {
  if (TRUE.test(text)) return true;
  return FALSE.test(text) ? false : undefined;
}

function readPlain(value: unknown, types: readonly string[]): unknown {
  if (typeof value === 'string') return spelledBy(value, types);
  const wantsTruth = types.includes('boolean');
  const wantsNumber = types.includes('number');
  if ((value === 0 || value === 1) && wantsTruth && !wantsNumber) return value === 1;
  if (typeof value === 'boolean' && wantsNumber && !wantsTruth) return Number(value);
  return value;
}

function spelledBy(text: string, types: readonly string[]): unknown {
  if (types.includes('string')) return text;
  const truth = types.includes('boolean') ? spelledTruth(text) : undefined;
  if (truth !== undefined) return truth;
  if (!NUMBER.test(text)) return text;
  const wants = types.includes('number') || (types.includes('integer') && isWhole(text));
  return wants ? Number(text) : text;
}

function isWhole(text: string): boolean {
  return Number.isInteger(Number(text));
}
