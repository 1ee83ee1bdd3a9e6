import { Compile } from 'typebox/compile';
import { parseBoundedJson } from '../../domain/bounded-json.ts';
import { SpeechError } from '../../domain/errors.ts';
import { assertSchema } from '../../domain/schema-errors.ts';
import { assertNotForeign } from '../wire/foreign-frames.ts';
import type { JsonSchema } from '../wire/json-schema.ts';
import { parseFrame } from '../wire/parse-frame.ts';
import { readSpelled } from '../wire/spelled-values.ts';
import { type CartesiaMessage, CartesiaMessageSchema } from './cartesia-schemas.ts';

const ADVICE =
  'Send {"context_id":"…","transcript":"…","continue":true}, or {"context_id":"…","cancel":true}.';
const validator = Compile(CartesiaMessageSchema);

/** @throws SpeechError `invalid_input_message` that says what is wrong, and which address a message of another wire wants. */
export function parseCartesiaMessage(message: string): CartesiaMessage {
  const value = readSpelled(
    parseFrame(message, ADVICE),
    CartesiaMessageSchema as unknown as JsonSchema,
  );
  assertNotForeign(value, 'cartesia');
  assertSchema(validator, value, { subject: 'Invalid message: ', advice: ADVICE });
  const parsed = value as CartesiaMessage;
  if (parsed.cancel || parsed.transcript != null) return parsed;
  throw new SpeechError(
    'invalid_input_message',
    `Invalid message: transcript is missing. ${ADVICE}`,
    {
      param: 'transcript',
    },
  );
}

/** The context that a message names, whatever else is wrong with it. */
export function cartesiaContext(message: string): string | undefined {
  try {
    const value = parseBoundedJson(message) as { readonly context_id?: unknown } | null;
    const id = value?.context_id;
    return typeof id === 'string' && id.length <= 256 ? id : undefined;
  } catch {
    return undefined;
  }
}
