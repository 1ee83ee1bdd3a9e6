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
export const DeepgramMessageSchema = Type.Object({
  type: Type.Enum(['Speak', 'Flush', 'Clear', 'Close', 'KeepAlive'], {
    description: 'What is to be done.',
  }),
  text: Type.Optional(Type.String({ description: 'Of Speak: words to say.' })),
});

const SpeakSchema = Type.Object({ type: Type.Literal('Speak'), text: Type.String() });
const OrderSchema = Type.Object({ type: Type.Enum(['Flush', 'Clear', 'Close', 'KeepAlive']) });
type DeepgramMessage = Type.Static<typeof SpeakSchema | typeof OrderSchema>;

const ADVICE = 'Send {"type":"Speak","text":"…"}, or the type Flush, Clear or Close.';
const validator = Compile(Type.Union([SpeakSchema, OrderSchema]));

/** @throws SpeechError `invalid_input_message` that says what is wrong, and which address a message of another wire wants. */
export function parseDeepgramMessage(message: string): DeepgramMessage {
  const value = parseFrame(message, ADVICE);
  assertNotForeign(value, 'deepgram');
  assertSchema(validator, value, { subject: 'Invalid message: ', advice: ADVICE });
  return value as DeepgramMessage;
}

const SEQUENCE_ID = Type.Integer({
  minimum: 0,
  description: 'Counts the replies to Flush and Clear of a connection, from 0.',
});

/** What the server says beside audio. */
export const DeepgramReplies = {
  DeepgramMetadata: Type.Object({
    type: Type.Literal('Metadata', { description: 'The first message.' }),
    request_id: Type.String({ description: 'By which the connection is found in the log.' }),
    model_name: Type.String({ description: 'Who speaks.' }),
    model_version: Type.String({ description: 'The file of the voice.' }),
    model_uuid: Type.String({ description: 'Always the same for the same voice.' }),
  }),
  DeepgramFlushed: Type.Object({
    type: Type.Literal('Flushed', { description: 'All audio before a Flush has been sent.' }),
    sequence_id: SEQUENCE_ID,
  }),
  DeepgramCleared: Type.Object({
    type: Type.Literal('Cleared', { description: 'No audio of what was said before follows.' }),
    sequence_id: SEQUENCE_ID,
  }),
  DeepgramWarning: Type.Object({
    type: Type.Literal('Warning', { description: 'Speech goes on.' }),
    code: Type.String({ description: 'Which warning it is.' }),
    description: Type.String({ description: 'What was asked for and is not done.' }),
  }),
  DeepgramError: Type.Object({
    type: Type.Literal('Error', { description: 'The connection closes.' }),
    code: Type.String({ description: 'Which error it is, as Deepgram calls it.' }),
    description: Type.String({ description: 'What is wrong, and what to do about it.' }),
    request_id: Type.String({ description: 'As in Metadata.' }),
  }),
};
type DeepgramReply = Type.Static<(typeof DeepgramReplies)[keyof typeof DeepgramReplies]>;

export function writeReply(reply: DeepgramReply): string {
  return JSON.stringify(reply);
}
