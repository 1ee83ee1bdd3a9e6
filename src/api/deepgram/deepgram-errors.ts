import { Type } from 'typebox';
import { type ErrorCode, errorStatus } from '../../domain/errors.ts';
import type { ErrorShape } from '../wire/error-shape.ts';
import type { JsonSchema } from '../wire/json-schema.ts';

/**
 * What Deepgram calls an error, and its status, where it does so in a way of its own
 * (https://developers.deepgram.com/docs/errors). Others have the status of the table and its code in
 * capitals.
 */
const NAMES: Partial<Record<ErrorCode, readonly [name: string, http: number]>> = {
  authentication_required: ['INVALID_AUTH', 401],
  invalid_api_key: ['INVALID_AUTH', 401],
  malformed_api_key: ['INVALID_AUTH', 401],
  missing_permissions: ['INSUFFICIENT_PERMISSIONS', 401],
  ip_not_allowed: ['INSUFFICIENT_PERMISSIONS', 403],
  output_format_not_allowed: ['INSUFFICIENT_PERMISSIONS', 403],
  quota_exceeded: ['ASR_PAYMENT_REQUIRED', 402],
  voice_id_does_not_exist: ['INVALID_QUERY_PARAMETER', 400],
  invalid_output_format: ['UNSUPPORTED_AUDIO_FORMAT', 400],
  unsupported_model: ['INVALID_QUERY_PARAMETER', 400],
  invalid_parameters: ['INVALID_QUERY_PARAMETER', 400],
  invalid_input_message: ['Bad Request', 400],
  text_too_long: ['PAYLOAD_TOO_LARGE', 413],
  message_too_big: ['PAYLOAD_TOO_LARGE', 413],
  too_many_concurrent_requests: ['TOO_MANY_REQUESTS', 429],
  rate_limit_exceeded: ['TOO_MANY_REQUESTS', 429],
};

const DeepgramErrorReply = Type.Object(
  {
    err_code: Type.String({ description: 'Which error it is.' }),
    err_msg: Type.String({ description: 'What is wrong, and what to do about it.' }),
    request_id: Type.String({ description: 'As in dg-request-id.' }),
  },
  { title: 'DeepgramErrorReply' },
);
type DeepgramErrorReply = Type.Static<typeof DeepgramErrorReply>;

/** What Deepgram calls an error. */
export function deepgramErrorName(code: ErrorCode): string {
  return NAMES[code]?.[0] ?? code.toUpperCase();
}

/** Errors over HTTP, the refused handshake of a websocket included. */
export const DEEPGRAM_ERROR_SHAPE: ErrorShape = {
  reply: DeepgramErrorReply as JsonSchema,
  statusOf: (code) => NAMES[code]?.[1] ?? errorStatus(code),
  nameOf: deepgramErrorName,
  write: ({ code, message }, requestId): DeepgramErrorReply => ({
    err_code: deepgramErrorName(code),
    err_msg: message,
    request_id: requestId,
  }),
  headers: ({ message }, requestId) => ({
    'dg-request-id': requestId,
    'dg-error': message.replaceAll(/[^\x20-\x7e]/g, '?'),
  }),
};
