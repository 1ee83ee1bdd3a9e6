import { Type } from 'typebox';
import { type ErrorCode, errorStatus, type SpeechError } from '../../domain/errors.ts';
import type { ErrorShape } from '../wire/error-shape.ts';
import type { JsonSchema } from '../wire/json-schema.ts';

const ErrorBody = Type.Object(
  {
    error: Type.Object({
      message: Type.String({ description: 'What is wrong and what to do about it, for people.' }),
      type: Type.String({ description: 'The kind of error, such as invalid_request_error.' }),
      param: Type.Union([Type.String(), Type.Null()], { description: 'The field at fault.' }),
      code: Type.String({ description: 'What is wrong.' }),
    }),
  },
  { title: 'OpenAiError' },
);

/** Where OpenAI answers with another status or another code than the first wire. */
const NAMES: Partial<Record<ErrorCode, { readonly http?: number; readonly name?: string }>> = {
  malformed_api_key: { http: 401, name: 'invalid_api_key' },
  missing_permissions: { http: 403 },
  quota_exceeded: { http: 429, name: 'insufficient_quota' },
  unsupported_model: { http: 404, name: 'model_not_found' },
  voice_id_does_not_exist: { name: 'voice_not_found' },
  // Its clients come again after 409.
  voice_not_prepared: { http: 400 },
  invalid_output_format: { http: 400 },
  text_too_long: { name: 'string_above_max_length' },
};

/** What a field is called here that the parts behind know by another name. */
const PARAMS: ReadonlyMap<string, string> = new Map([
  ['text', 'input'],
  ['model_id', 'model'],
  ['voice_id', 'voice'],
  ['output_format', 'response_format'],
]);

/** Errors as OpenAI's clients read them: one object, `type` by the status, `code` for programs. */
export const OPENAI_ERROR_SHAPE: ErrorShape = {
  reply: ErrorBody as JsonSchema,
  statusOf,
  nameOf,
  write: openAiError,
};

export function openAiError(error: SpeechError): { readonly error: object } {
  const { code, message, param } = error;
  const name = nameOf(code);
  return {
    error: {
      message,
      type: typeOf(statusOf(code), name),
      param: param === undefined ? null : (PARAMS.get(param) ?? param),
      code: name,
    },
  };
}

function statusOf(code: ErrorCode): number {
  return NAMES[code]?.http ?? errorStatus(code);
}

function nameOf(code: ErrorCode): string {
  return NAMES[code]?.name ?? code;
}

function typeOf(http: number, name: string): string {
  if (name === 'insufficient_quota') return name;
  if (http === 429) return 'requests';
  return http >= 500 ? 'server_error' : 'invalid_request_error';
}
