import type { FastifyError, FastifySchemaValidationError } from 'fastify';

/** One entry of a 422 reply's `detail` (PROTOCOL §3.2). */
export interface ValidationDetail {
  readonly type: string;
  readonly loc: ReadonlyArray<string | number>;
  readonly msg: string;
  /** What was sent at `loc`. */
  readonly input: unknown;
}

/** What clients of the original match on, for the JSON Schema keywords that our schemas use. */
const TYPES: Readonly<Record<string, string>> = {
  required: 'missing',
  minLength: 'string_too_short',
  maxLength: 'string_too_long',
  minimum: 'greater_than_equal',
  maximum: 'less_than_equal',
  maxItems: 'too_long',
};
const PLACES = { body: 'body', querystring: 'query', params: 'path', headers: 'header' } as const;

/** A request that its route's schema refuses, as the list that clients expect. */
export function schemaRefusal(
  error: FastifyError,
  request: { body?: unknown } & object,
): ValidationDetail[] {
  const place = error.validationContext ?? 'body';
  const sent = (request as Record<string, unknown>)[place === 'querystring' ? 'query' : place];
  return (error.validation ?? []).map((problem) => schemaDetail(problem, PLACES[place], sent));
}

/** A body that could not be read at all. */
export function unreadableBody(message: string): ValidationDetail[] {
  return [{ type: 'json_invalid', loc: ['body'], msg: message, input: {} }];
}

function schemaDetail(
  { keyword, instancePath, params, message }: FastifySchemaValidationError,
  place: string,
  sent: unknown,
): ValidationDetail {
  const path = instancePath.split('/').slice(1).map(decodePointer);
  const input = path.reduce(child, sent);
  if (keyword === 'required') {
    const missing = String(params['missingProperty']);
    return { type: 'missing', loc: [place, ...path, missing], msg: 'Field required', input };
  }
  const type = keyword === 'type' ? `${params['type']}_type` : (TYPES[keyword] ?? keyword);
  return { type, loc: [place, ...path], msg: `Input ${message}`, input };
}

/** A step of a JSON Pointer (RFC 6901); positions in lists become numbers. */
function decodePointer(step: string): string | number {
  if (/^\d+$/.test(step)) return Number(step);
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function child(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string | number, unknown>)[key];
}
