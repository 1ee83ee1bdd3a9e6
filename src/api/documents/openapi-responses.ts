import { type ErrorCode, errorTable } from '../../domain/errors.ts';
import {
  SCHEMA_REFUSAL_CODE,
  SCHEMA_REFUSAL_STATUS,
  ValidationErrorReply,
} from '../http/validation-errors.ts';
import { ErrorReply, httpNames, isRetried } from '../http/wire-error.ts';
import type { Access } from '../identity/access.ts';
import type { ErrorShape } from '../wire/error-shape.ts';
import type { JsonSchema } from '../wire/json-schema.ts';
import type { Components } from './openapi-components.ts';
import type { Header, MediaType, Response } from './openapi-document.ts';
import type { DescribedRoute } from './openapi-routes.ts';

const JSON_TYPE = 'application/json';

/** Headers that many responses have, by the name of their component. */
export const SHARED_HEADERS: Readonly<Record<string, Header>> = {
  TraceId: {
    description: 'Id of the request, to be told with any complaint.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds after which the same request may succeed.',
    schema: { type: 'integer' },
  },
};
const TRACE_ID = { 'x-trace-id': { $ref: '#/components/headers/TraceId' } };
const RETRY_AFTER = { 'retry-after': { $ref: '#/components/headers/RetryAfter' } };

/** What any route that looks at what is stored may refuse with; keys are stored too. */
const STORAGE_ERRORS: readonly ErrorCode[] = ['storage_unavailable', 'insufficient_storage'];

/** What the guard of routes may refuse with, where a key may be left out. */
const OPTIONAL_KEY_ERRORS: readonly ErrorCode[] = [
  'invalid_api_key',
  'malformed_api_key',
  'missing_permissions',
  'ip_not_allowed',
  'rate_limit_exceeded',
  ...STORAGE_ERRORS,
];
const KEY_ERRORS: readonly ErrorCode[] = ['authentication_required', ...OPTIONAL_KEY_ERRORS];

/** A success as a route's schema describes it: a bare schema of its JSON, or like a response object. */
type DescribedSuccess = JsonSchema & Partial<Pick<Response, 'description' | 'headers' | 'content'>>;

/** Everything that a route answers: what its schema says, and what it refuses with. */
export function responsesOf(
  route: DescribedRoute,
  components: Components,
): Readonly<Record<string, Response>> {
  const successes = Object.entries(
    (route.schema.response ?? {}) as Record<string, DescribedSuccess>,
  );
  const described = successes.map(([status, success]) => [status, successOf(success, components)]);
  const { errorShape } = route.schema;
  const refusals = errorShape
    ? shapedRefusalsOf(route, errorShape, components)
    : refusalsOf(route, components);
  return {
    ...(described.length > 0
      ? Object.fromEntries(described)
      : { 200: { description: 'Done.', headers: TRACE_ID } }),
    ...refusals,
  };
}

function successOf(success: DescribedSuccess, components: Components): Response {
  const { content, headers, description = 'Done.' } = success;
  const media = content ?? { [JSON_TYPE]: { schema: success } };
  const isEmpty = content !== undefined && Object.keys(content).length === 0;
  return {
    description,
    headers: { ...TRACE_ID, ...headers },
    ...(!isEmpty && {
      content: Object.fromEntries(
        Object.entries(media).map(([type, { schema }]) => [
          type,
          { schema: components.place(schema) },
        ]),
      ),
    }),
  };
}

/** By status, from the one error table. */
function refusalsOf(route: DescribedRoute, components: Components): Record<string, Response> {
  const codes = new Set(refusalCodes(route));
  const rows = errorTable().filter(([code]) => codes.has(code));
  const statuses = new Set(rows.map(([, { http }]) => http));
  const hasSchema = isValidated(route);
  if (hasSchema) statuses.add(SCHEMA_REFUSAL_STATUS);
  return Object.fromEntries(
    [...statuses].map((http) => {
      const names = rows.filter((row) => row[1].http === http).map(([code]) => httpNames(code)[1]);
      const isList = hasSchema && http === SCHEMA_REFUSAL_STATUS;
      return [String(http), refusal(http, [...new Set(names)], isList, components)];
    }),
  );
}

/** By status, in the shape of another vendor's wire. */
function shapedRefusalsOf(
  route: DescribedRoute,
  { reply, statusOf, nameOf }: ErrorShape,
  components: Components,
): Record<string, Response> {
  const codes: readonly ErrorCode[] = [
    ...refusalCodes(route),
    ...(isValidated(route) ? [SCHEMA_REFUSAL_CODE] : []),
  ];
  const statuses = new Set(codes.map(statusOf));
  return Object.fromEntries(
    [...statuses].map((http) => {
      const names = new Set(codes.filter((code) => statusOf(code) === http).map(nameOf));
      return [
        String(http),
        {
          description: `With the code ${[...names].join(', ')}.`,
          headers: { ...TRACE_ID, ...(isRetried(http) && RETRY_AFTER) },
          content: { [JSON_TYPE]: { schema: components.place(reply) } },
        },
      ];
    }),
  );
}

/** Whether requests are held against a schema. */
function isValidated({ schema: { body, querystring, params } }: DescribedRoute): boolean {
  return [body, querystring, params].some((schema) => schema !== undefined);
}

function refusalCodes({ schema }: DescribedRoute): readonly ErrorCode[] {
  const { access, errors = [], body, params } = schema;
  return [
    ...accessErrors(access),
    ...(body ? (['message_too_big'] as const) : []),
    // A parameter that no id could be is no address of ours.
    ...(params ? (['not_found'] as const) : []),
    ...errors,
    'internal_error',
  ];
}

function accessErrors(access: Access | undefined): readonly ErrorCode[] {
  if (access === 'probe') return [];
  if (access === 'public') return ['rate_limit_exceeded'];
  return access?.key === 'optional' ? OPTIONAL_KEY_ERRORS : KEY_ERRORS;
}

function refusal(
  http: number,
  statuses: readonly string[],
  isList: boolean,
  components: Components,
): Response {
  const listed = isList ? [components.place(ValidationErrorReply as JsonSchema)] : [];
  const typed = statuses.length > 0 ? [errorReply(statuses, components)] : [];
  const [only, ...others] = [...listed, ...typed];
  const schema = others.length > 0 ? { anyOf: [...listed, ...typed] } : only;
  return {
    description: [
      ...(isList ? ['The request does not fit the schema.'] : []),
      ...(statuses.length > 0 ? [`With the status ${statuses.join(', ')}.`] : []),
    ].join(' '),
    headers: { ...TRACE_ID, ...(isRetried(http) && RETRY_AFTER) },
    content: { [JSON_TYPE]: { schema: schema ?? {} } satisfies MediaType },
  };
}

function errorReply(statuses: readonly string[], components: Components): JsonSchema {
  return {
    ...components.place(ErrorReply as JsonSchema),
    properties: { detail: { properties: { status: { enum: statuses } } } },
  };
}
