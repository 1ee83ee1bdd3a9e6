import type { FastifyError, FastifySchemaValidationError } from 'fastify';
import { Type } from 'typebox';
import { type ErrorCode, SpeechError } from '../../domain/errors.ts';
import { pointerSteps } from '../../domain/schema-errors.ts';

/** Of the reply to a request that its route's schema refuses. */
export const SCHEMA_REFUSAL_STATUS = 422;
/** Its code on wires that have no list of what is wrong. */
export const SCHEMA_REFUSAL_CODE: ErrorCode = 'invalid_parameters';

/** One entry of a 422 reply's `detail` (PROTOCOL §3.2). */
export interface ValidationDetail {
  readonly type: string;
  readonly loc: ReadonlyArray<string | number>;
  readonly msg: string;
  /** What was sent at `loc`, cut where it is long. */
  readonly input: unknown;
}

/** The reply to a request that its route's schema refuses, for the documents. */
export const ValidationErrorReply = Type.Object(
  {
    detail: Type.Array(
      Type.Object({
        type: Type.String({ description: 'What is wrong, such as missing or string_too_long.' }),
        loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
          description: 'Where: body, query, path or header, and the way from there.',
        }),
        msg: Type.String({ description: 'What is wrong, for people.' }),
        input: Type.Optional(Type.Unknown({ description: 'What was sent there.' })),
      }),
      { minItems: 1 },
    ),
  },
  { title: 'ValidationErrorReply' },
);

/** What clients of the original match on, for the JSON Schema keywords that our schemas use. */
const TYPES: Readonly<Record<string, string>> = {
  required: 'missing',
  minLength: 'string_too_short',
  maxLength: 'string_too_long',
  pattern: 'string_pattern_mismatch',
  minimum: 'greater_than_equal',
  maximum: 'less_than_equal',
  minItems: 'too_short',
  maxItems: 'too_long',
  anyOf: 'literal_error',
};
/** The names of JSON Schema's types in an error's type, and in its text. */
const TYPE_NAMES: Readonly<Record<string, readonly [type: string, text: string]>> = {
  string: ['string', 'a string'],
  integer: ['int', 'a whole number'],
  number: ['float', 'a number'],
  boolean: ['bool', 'true or false'],
  array: ['list', 'a list'],
  object: ['dict', 'an object'],
};
/** Of the input that an error shows: enough to recognise it, and not worth asking for. */
const SHOWN_LENGTH = 200;
const SHOWN_ENTRIES = 20;
const SHOWN_DEPTH = 4;
const PLACES = { body: 'body', querystring: 'query', params: 'path', headers: 'header' } as const;

/** A request that its route's schema refuses, as the list that clients expect. */
export function schemaRefusal(
  error: FastifyError,
  request: { body?: unknown } & object,
): ValidationDetail[] {
  const place = error.validationContext ?? 'body';
  const sent = (request as Record<string, unknown>)[place === 'querystring' ? 'query' : place];
  return withoutBranches(error.validation ?? []).map((problem) =>
    schemaDetail(problem, PLACES[place], sent),
  );
}

/** A body that could not be read at all. */
export function unreadableBody(message: string): ValidationDetail[] {
  return [{ type: 'json_invalid', loc: ['body'], msg: message, input: {} }];
}

/** The same as one error, for wires that have no lists. */
export function schemaError([first]: readonly ValidationDetail[]): SpeechError {
  const param = first?.loc.slice(1).join('.') || undefined;
  const message = `${param ?? 'The request'}: ${first?.msg ?? 'not understood'}.`;
  return new SpeechError(SCHEMA_REFUSAL_CODE, message, param === undefined ? {} : { param });
}

/**
 * The validator complains once for each alternative and once for all. What helps is the one thing
 * that is wrong with the alternative that was meant, or the list of the values that may stand there.
 */
function withoutBranches(
  problems: readonly FastifySchemaValidationError[],
): readonly FastifySchemaValidationError[] {
  const union = problems.findLast(({ keyword }) => keyword === 'anyOf');
  if (!union) return problems;
  const others = problems.filter(
    ({ keyword, params }) => keyword !== 'anyOf' && params['type'] !== 'null',
  );
  const [first] = others;
  if (first && others.some(({ keyword }) => keyword !== 'const')) return [first];
  const allowedValues = others.map(({ params }) => params['allowedValue']);
  return [{ ...union, params: { allowedValues } }];
}

function schemaDetail(
  problem: FastifySchemaValidationError,
  place: string,
  sent: unknown,
): ValidationDetail {
  const { keyword, instancePath, params } = problem;
  const path = pointerSteps(instancePath).map(childKey);
  const input = glimpse(path.reduce(child, sent), SHOWN_DEPTH);
  if (keyword === 'required') {
    const missing = String(params['missingProperty']);
    return { type: 'missing', loc: [place, ...path, missing], msg: 'Field required', input };
  }
  const { type, msg } = keyword === 'type' ? wrongType(params, input) : wrongValue(problem);
  return { type, loc: [place, ...path], msg, input };
}

/** Of a field that may also be null, the type that it has otherwise is named. */
function wrongType({ type }: FastifySchemaValidationError['params'], input: unknown) {
  const names = typeof type === 'string' ? type.split(',') : [type].flat().map(String);
  const wanted = names.find((name) => name !== 'null') ?? 'null';
  const [name, text] = TYPE_NAMES[wanted] ?? [wanted, wanted];
  const isMisspelled = typeof input === 'string' && ['int', 'float', 'bool'].includes(name);
  const orNull = names.includes('null') && wanted !== 'null' ? ' or null' : '';
  return {
    type: `${name}_${isMisspelled ? 'parsing' : 'type'}`,
    msg: `Input must be ${text}${orNull}`,
  };
}

function wrongValue({ keyword, params, message }: FastifySchemaValidationError) {
  const type = TYPES[keyword] ?? keyword;
  if (keyword === 'const') {
    return {
      type: 'literal_error',
      msg: `Input must be ${JSON.stringify(params['allowedValue'])}`,
    };
  }
  if (!Array.isArray(params['allowedValues'])) return { type, msg: `Input ${message}` };
  const values = params['allowedValues'].map((value) => JSON.stringify(value)).join(', ');
  return { type, msg: `Input must be one of ${values}` };
}

/** A value that may be as long and as deep as a request can be, cut short. */
function glimpse(value: unknown, depth: number): unknown {
  if (typeof value === 'string' && value.length > SHOWN_LENGTH) {
    return `${value.slice(0, SHOWN_LENGTH)}…`;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  const entries = Object.entries(value)
    .slice(0, SHOWN_ENTRIES)
    .map(([name, part]) => [name.slice(0, SHOWN_LENGTH), glimpse(part, depth - 1)] as const);
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}

/** A step of a JSON Pointer; positions in lists become numbers. */
function childKey(step: string): string | number {
  return /^\d+$/.test(step) ? Number(step) : step;
}

function child(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string | number, unknown>)[key];
}
