import { Type } from 'typebox';
import { type ErrorCode, errorStatus, type SpeechError } from '../../domain/errors.ts';
import type { ErrorShape } from '../wire/error-shape.ts';
import type { JsonSchema } from '../wire/json-schema.ts';

/**
 * Where Cartesia has a status or a name of its own (https://docs.cartesia.ai/use-the-api/api-errors).
 * Other errors have those of the table.
 */
const NAMES: Partial<Record<ErrorCode, { readonly http?: number; readonly name?: string }>> = {
  malformed_api_key: { http: 401, name: 'invalid_api_key' },
  missing_permissions: { http: 403 },
  quota_exceeded: { http: 402 },
  unsupported_model: { http: 404, name: 'model_not_found' },
  voice_id_does_not_exist: { name: 'voice_not_found' },
  invalid_output_format: { http: 400 },
  invalid_input_message: { http: 400 },
  too_many_concurrent_requests: { name: 'concurrency_limited' },
  max_active_conversations: { name: 'concurrency_limited' },
};

/** What a field is called here that the parts behind know by another name. */
const PARAMS: ReadonlyMap<string, string> = new Map([
  ['text', 'transcript'],
  ['voice_id', 'voice'],
]);

/** The advice of the parts behind is for another wire. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  max_active_conversations:
    'This connection has five open contexts, the most it may have. End one with "continue": false, or cancel it.',
};

export const CartesiaErrorReply = Type.Object(
  {
    error_code: Type.String({ description: 'What is wrong.' }),
    title: Type.String({ description: 'The same in words.' }),
    message: Type.String({ description: 'What is wrong, and what to do about it.' }),
    request_id: Type.String({ description: 'As in x-trace-id.' }),
    param: Type.Optional(Type.String({ description: 'The field at fault, where there is one.' })),
  },
  { title: 'CartesiaErrorReply' },
);
export type CartesiaErrorReply = Type.Static<typeof CartesiaErrorReply>;

/** Errors over HTTP, the refused handshake of a websocket included. */
export const CARTESIA_ERROR_SHAPE: ErrorShape = {
  reply: CartesiaErrorReply as JsonSchema,
  statusOf: cartesiaStatus,
  nameOf,
  write: cartesiaError,
};

export function cartesiaError(error: SpeechError, requestId: string): CartesiaErrorReply {
  const { code, message, param } = error;
  const name = nameOf(code);
  const title = name.replaceAll('_', ' ');
  return {
    error_code: name,
    title: title[0]?.toUpperCase() + title.slice(1),
    message: MESSAGES[code] ?? message,
    request_id: requestId,
    ...(param !== undefined && { param: PARAMS.get(param) ?? param }),
  };
}

/** The status of an error, over HTTP and in messages. */
export function cartesiaStatus(code: ErrorCode): number {
  return NAMES[code]?.http ?? errorStatus(code);
}

function nameOf(code: ErrorCode): string {
  return NAMES[code]?.name ?? code;
}
