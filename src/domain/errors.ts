/**
 * The one error table. Doors (REST, websocket, CLI) look an error up here; none of them invents a
 * status, a close code or a wire name. `http` is the REST status, `close` the websocket close code,
 * `type` and `status` the wire names of PROTOCOL §3.2, `retry` whether the same request may succeed later.
 */
const ERRORS = {
  authentication_required: { http: 401, close: 1008, type: 'authentication_error', retry: false },
  invalid_api_key: { http: 401, close: 1008, type: 'authentication_error', retry: false },
  malformed_api_key: { http: 400, close: 1008, type: 'validation_error', retry: false },
  missing_permissions: { http: 401, close: 1008, type: 'authentication_error', retry: false },
  quota_exceeded: { http: 401, close: 1008, type: 'authentication_error', retry: false },
  ip_not_allowed: { http: 403, close: 1008, type: 'authorization_error', retry: false },
  output_format_not_allowed: { http: 403, close: 1008, type: 'authorization_error', retry: false },
  invalid_output_format: { http: 403, close: 1008, type: 'validation_error', retry: false },
  unsupported_model: { http: 400, close: 1008, type: 'validation_error', retry: false },
  unsupported_script: { http: 400, close: 1008, type: 'validation_error', retry: false },
  voice_id_does_not_exist: { http: 404, close: 1008, type: 'not_found', retry: false },
  not_found: { http: 404, close: 1008, type: 'not_found', retry: false },
  workspace_not_found: { http: 404, close: 1008, type: 'not_found', retry: false },
  upgrade_required: { http: 426, close: 1008, type: 'validation_error', retry: false },
  origin_not_allowed: { http: 403, close: 1008, type: 'authorization_error', retry: false },
  invalid_signature: { http: 403, close: 1008, type: 'authorization_error', retry: false },
  transfer_not_allowed: { http: 403, close: 1008, type: 'authorization_error', retry: false },
  call_taken: { http: 409, close: 1008, type: 'conflict', retry: false },
  call_ended: { http: 410, close: 1000, type: 'not_found', retry: false },
  carrier_silent: { http: 408, close: 1008, type: 'validation_error', retry: true },
  bot_unreachable: { http: 502, close: 1011, type: 'service_unavailable', retry: true },
  voice_not_ready: { http: 503, close: 1013, type: 'service_unavailable', retry: true },
  voice_not_prepared: { http: 409, close: 1008, type: 'conflict', retry: false },
  voice_file_corrupt: { http: 503, close: 1011, type: 'service_unavailable', retry: false },
  invalid_input_message: { http: 422, close: 1008, type: 'validation_error', retry: false },
  message_too_big: { http: 413, close: 1009, type: 'validation_error', retry: false },
  input_timeout_exceeded: { http: 408, close: 1008, type: 'validation_error', retry: true },
  client_too_slow: { http: 408, close: 1008, type: 'rate_limit_error', retry: true },
  too_many_concurrent_requests: { http: 429, close: 1008, type: 'rate_limit_error', retry: true },
  rate_limit_exceeded: { http: 429, close: 1013, type: 'rate_limit_error', retry: true },
  max_active_conversations: { http: 429, close: 1008, type: 'rate_limit_error', retry: true },
  empty_text: { http: 400, close: 1008, type: 'validation_error', retry: false },
  invalid_parameters: { http: 400, close: 1008, type: 'validation_error', retry: false },
  invalid_voice_settings: { http: 400, close: 1008, type: 'validation_error', retry: false },
  voice_limit_reached: { http: 400, close: 1008, type: 'validation_error', retry: false },
  account_limit_reached: { http: 400, close: 1008, type: 'validation_error', retry: false },
  already_exists: { http: 409, close: 1008, type: 'conflict', retry: false },
  webhook_disabled: { http: 409, close: 1008, type: 'conflict', retry: false },
  text_too_long: { http: 400, close: 1008, type: 'validation_error', retry: false },
  system_busy: { http: 429, close: 1013, type: 'rate_limit_error', retry: true },
  insufficient_storage: { http: 507, close: 1013, type: 'service_unavailable', retry: true },
  storage_unavailable: { http: 503, close: 1013, type: 'service_unavailable', retry: true },
  shutting_down: { http: 503, close: 1001, type: 'service_unavailable', retry: true },
  synthesis_failed: { http: 500, close: 1011, type: 'internal_error', retry: true },
  internal_error: { http: 500, close: 1011, type: 'internal_error', retry: true },
} as const satisfies Record<string, ErrorRow>;

interface ErrorRow {
  readonly http: number;
  readonly close: number;
  readonly type: string;
  readonly retry: boolean;
}

export type ErrorCode = keyof typeof ERRORS;

/** An error that a caller can read: `message` says what is wrong and what to do about it. */
export class SpeechError extends Error {
  readonly code: ErrorCode;
  /** The request parameter at fault, when there is one. */
  readonly param: string | undefined;
  /** Seconds after which the same request may succeed, where that is known. */
  readonly retryAfterS: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { param?: string; cause?: unknown; retryAfterS?: number } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'SpeechError';
    this.code = code;
    this.param = options.param;
    this.retryAfterS = options.retryAfterS;
  }

  get row(): ErrorRow {
    return ERRORS[this.code];
  }
}

/** Wraps anything thrown as a `SpeechError`, so that a door always has a row to look up. */
export function toSpeechError(thrown: unknown): SpeechError {
  if (thrown instanceof SpeechError) return thrown;
  return new SpeechError('internal_error', 'Something failed inside the server; try again.', {
    cause: thrown,
  });
}

/** The REST status of an error. */
export function errorStatus(code: ErrorCode): number {
  return ERRORS[code].http;
}

/** Every code with its row, for the page of errors. */
export function errorTable(): ReadonlyArray<readonly [ErrorCode, ErrorRow]> {
  return Object.entries(ERRORS) as [ErrorCode, ErrorRow][];
}
