import { Type } from 'typebox';
import type { JsonSchema } from './json-schema.ts';

/**
 * A field of a request that may be left out, and that null leaves out too. It has a list of types and
 * no union, so that one error names both.
 */
export function optionalField<T>(type: string, options: JsonSchema) {
  const schema = Type.Unsafe<T | null>({ ...options, type: [type, 'null'] });
  return Type.Optional(schema as typeof schema & JsonSchema);
}
