import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { assertSchema } from '../../domain/schema-errors.ts';
import { assertNotForeign } from '../wire/foreign-frames.ts';
import { parseFrame } from '../wire/parse-frame.ts';

/**
 * The messages of Deepgram's streaming speech, in and out
 * (https://developers.deepgram.com/reference/text-to-speech/speak-streaming). Audio is binary.
 */

/** One client message; fields that are not listed are ignored. */
export const DeepgramMessageSchema = Type.Union([
  Type.Object({ type: Type.Literal('Speak'), text: Type.String() }),
  Type.Object({ type: Type.Enum(['Flush', 'Clear', 'Close', 'KeepAlive']) }),
]);
export type DeepgramMessage = Type.Static<typeof DeepgramMessageSchema>;

const ADVICE = 'Send {"type":"Speak","text":"…"}, or the type Flush, Clear or Close.';
const validator = Compile(DeepgramMessageSchema);

/** @throws SpeechError `invalid_input_message` that says what is wrong, and which address a message of another wire wants. */
export function parseDeepgramMessage(message: string): DeepgramMessage {
  const value = parseFrame(message, ADVICE);
  assertNotForeign(value, 'deepgram');
  assertSchema(validator, value, { subject: 'Invalid message: ', advice: ADVICE });
  return value as DeepgramMessage;
}

/** What the server says beside audio. */
export type DeepgramReply =
  | {
      readonly type: 'Metadata';
      readonly request_id: string;
      readonly model_name: string;
      readonly model_version: string;
      readonly model_uuid: string;
    }
  /** `sequence_id` counts the replies to Flush and Clear of a connection, from 0. */
  | { readonly type: 'Flushed' | 'Cleared'; readonly sequence_id: number }
  | { readonly type: 'Warning'; readonly code: string; readonly description: string }
  /** The connection closes. */
  | {
      readonly type: 'Error';
      readonly code: string;
      readonly description: string;
      readonly request_id: string;
    };

export function writeReply(reply: DeepgramReply): string {
  return JSON.stringify(reply);
}
