import { Type } from 'typebox';
import { type ErrorCode, toSpeechError } from '../../domain/errors.ts';

/** How a refusal reads on HTTP (PROTOCOL §3.2). */
export interface WireError {
  readonly http: number;
  readonly body: {
    readonly detail: {
      readonly type: string;
      readonly code: string;
      readonly message: string;
      readonly status: string;
      readonly request_id: string;
      readonly param?: string;
    };
  };
  /** Seconds after which the same request may succeed. */
  readonly retryAfterS: number | undefined;
}

/** The body of every refusal but that of a schema, for the documents. */
export const ErrorReply = Type.Object(
  {
    detail: Type.Object({
      type: Type.String({ description: 'The kind of error.' }),
      code: Type.String({ description: 'What is wrong.' }),
      message: Type.String({ description: 'What is wrong and what to do about it, for people.' }),
      status: Type.String({ description: 'What is wrong, by the older name; the most precise.' }),
      request_id: Type.String({ description: 'As in x-trace-id.' }),
      param: Type.Optional(Type.String({ description: 'The field at fault, where there is one.' })),
    }),
  },
  { title: 'ErrorReply' },
);

const RETRY_AFTER_S = 1;
/** Statuses that clients retry by themselves when told when. */
const RETRIED_STATUSES: readonly number[] = [429, 503];

/** Where HTTP names an error differently from the sockets: its `code`, and the older `status`. */
const HTTP_NAMES: Partial<Record<ErrorCode, readonly [code: string, status: string]>> = {
  authentication_required: ['unauthorized', 'needs_authorization'],
  invalid_api_key: ['unauthorized', 'invalid_api_key'],
  malformed_api_key: ['invalid_api_key', 'invalid_api_key'],
  missing_permissions: ['unauthorized', 'missing_permissions'],
  output_format_not_allowed: ['subscription_required', 'output_format_not_allowed'],
  too_many_concurrent_requests: ['concurrent_limit_exceeded', 'too_many_concurrent_requests'],
  voice_id_does_not_exist: ['voice_not_found', 'voice_not_found'],
  text_too_long: ['text_too_long', 'max_character_limit_exceeded'],
};

/** What an error is called on HTTP: its `code`, and its `status`. */
export function httpNames(code: ErrorCode): readonly [code: string, status: string] {
  return HTTP_NAMES[code] ?? [code, code];
}

/** Whether replies with this status say when to try again. */
export function isRetried(http: number): boolean {
  return RETRIED_STATUSES.includes(http);
}

/** The reply to anything thrown. What is not a `SpeechError` is our own failure, and says no more. */
export function wireError(thrown: unknown, requestId: string): WireError {
  const error = toSpeechError(thrown);
  const { http, type, retry } = error.row;
  const [code, status] = httpNames(error.code);
  return {
    http,
    retryAfterS: retry && isRetried(http) ? (error.retryAfterS ?? RETRY_AFTER_S) : undefined,
    body: {
      detail: {
        type,
        code,
        message: error.message,
        status,
        request_id: requestId,
        ...(error.param !== undefined && { param: error.param }),
      },
    },
  };
}
