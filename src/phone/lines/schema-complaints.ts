import type Type from 'typebox';
import { pointerSteps, type SchemaError } from '../../domain/schema-errors.ts';
import type { YamlComplaint, YamlPath } from './yaml-complaint.ts';

/** A schema library's report, with what it says of the schema. */
interface DetailedSchemaError extends SchemaError {
  readonly keyword: string;
  /** A JSON Pointer into the schema, in a URL fragment. */
  readonly schemaPath: string;
  readonly params: object;
}

interface JsonSchema {
  /** What a value must be, in words: completes "must be …". */
  readonly title?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** Already told otherwise: a key that is not allowed is reported by its own name too. */
const REPEATED: ReadonlySet<string> = new Set(['additionalProperties']);

/**
 * What is wrong with a value, for the one who wrote it. A schema with a `title` is explained by it
 * ("must be {title}"), which is the only readable way to explain a pattern or a choice.
 */
export function schemaComplaints(
  schema: Type.TSchema,
  value: unknown,
  errors: readonly DetailedSchemaError[],
): readonly YamlComplaint[] {
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf');
  const told = errors.filter(
    ({ keyword, schemaPath }) =>
      !REPEATED.has(keyword) &&
      !choices.some((choice) => schemaPath.startsWith(`${choice.schemaPath}/anyOf/`)),
  );
  return told.map((error) => {
    const path = pathOf(error.instancePath, value);
    return { path, message: sentence(error, schema, valueAt(value, path)) };
  });
}

function sentence(error: DetailedSchemaError, schema: Type.TSchema, value: unknown): string {
  if (error.keyword === 'boolean') return unknownKey(error, schema);
  if (error.keyword === 'required') {
    const { requiredProperties } = error.params as { requiredProperties: readonly string[] };
    return `lacks ${requiredProperties.join(' and ')}.`;
  }
  const { title } = schemaAt(schema, error.schemaPath) ?? {};
  const rule = title === undefined ? plain(error.message) : `must be ${title}`;
  const wantsText = ['type', 'anyOf'].includes(error.keyword) && rule.includes('text');
  return wantsText && typeof value === 'number' ? `${rule}: put it in quotes.` : `${rule}.`;
}

/** The library's own words, with YAML's names for things. */
function plain(message: string): string {
  return message
    .replace(/\bstring\b/, 'text')
    .replace(/\bobject\b/, 'a map of keys')
    .replace(/\barray\b/, 'a list')
    .replace(/\bboolean\b/, 'true or false')
    .replace('>=', 'at least')
    .replace('<=', 'at most');
}

function unknownKey({ schemaPath }: DetailedSchemaError, schema: Type.TSchema): string {
  const parent = schemaAt(schema, schemaPath.slice(0, schemaPath.lastIndexOf('/')));
  const known = Object.keys(parent?.properties ?? {});
  if (known.length === 0)
    return `does not fit in here: this is ${parent?.title ?? 'something else'}.`;
  return `is not a key that is known here. Known are ${known.join(', ')}.`;
}

function schemaAt(schema: Type.TSchema, pointer: string): JsonSchema | undefined {
  let place: unknown = schema;
  for (const step of pointerSteps(pointer.replace(/^#/, ''))) {
    place = (place as Readonly<Record<string, unknown>> | undefined)?.[step];
  }
  return place as JsonSchema | undefined;
}

function pathOf(pointer: string, value: unknown): YamlPath {
  let place = value;
  return pointerSteps(pointer).map((step) => {
    const key = Array.isArray(place) ? Number(step) : step;
    place = valueAt(place, [key]);
    return key;
  });
}

function valueAt(value: unknown, path: YamlPath): unknown {
  return path.reduce(
    (place, step) => (place as Readonly<Record<string | number, unknown>> | null)?.[step],
    value,
  );
}
