import type { JsonSchema } from '../../src/api/wire/json-schema.ts';

/**
 * A schema whose objects have no other fields than those that it names, so that a reply with a field
 * that nobody documented does not fit.
 */
export function closed(schema: JsonSchema): JsonSchema {
  // What stands beside a reference narrows it, and names only what it narrows.
  if (schema.$ref !== undefined) return schema;
  const { items, anyOf, properties } = schema;
  return {
    ...schema,
    ...(items && { items: closed(items) }),
    ...(anyOf && { anyOf: anyOf.map(closed) }),
    ...(properties && { properties: closedAll(properties), additionalProperties: false }),
  };
}

export function closedAll(
  schemas: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.entries(schemas).map(([name, part]) => [name, closed(part)]));
}
