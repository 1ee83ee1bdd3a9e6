import { type ErrorCode, toSpeechError } from '../domain/errors.ts';

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

const RETRY_AFTER_S = 1;
/** Statuses that clients retry by themselves when told when. */
const RETRIED_STATUSES: readonly number[] = [429, 503];

/** Where HTTP names an error differently from the sockets: its `code`, and the older `status`. */
const HTTP_NAMES: Partial<Record<ErrorCode, readonly [code: string, status: string]>> = {
  authentication_required: ['unauthorized', 'needs_authorization'],
  invalid_api_key: ['unauthorized', 'invalid_api_key'],
  malformed_api_key: ['invalid_api_key', 'invalid_api_key'],
  invalid_authorization_header: ['unauthorized', 'invalid_authorization_header'],
  missing_permissions: ['unauthorized', 'missing_permissions'],
  output_format_not_allowed: ['subscription_required', 'output_format_not_allowed'],
  too_many_concurrent_requests: ['concurrent_limit_exceeded', 'too_many_concurrent_requests'],
  voice_id_does_not_exist: ['voice_not_found', 'voice_not_found'],
  text_too_long: ['text_too_long', 'max_character_limit_exceeded'],
};

/** The reply to anything thrown. What is not a `SpeechError` is our own failure, and says no more. */
export function wireError(thrown: unknown, requestId: string): WireError {
  const error = toSpeechError(thrown);
  const { http, type, retry } = error.row;
  const [code, status] = HTTP_NAMES[error.code] ?? [error.code, error.code];
  return {
    http,
    retryAfterS: retry && RETRIED_STATUSES.includes(http) ? RETRY_AFTER_S : undefined,
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
