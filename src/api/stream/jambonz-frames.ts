import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { type ErrorCode, errorTable, type SpeechError } from '../../domain/errors.ts';
import { assertSchema } from '../../domain/schema-errors.ts';
import { parseJson } from './frames.ts';

/**
 * The messages of jambonz's custom TTS streaming, in and out
 * (https://docs.jambonz.org/guides/features/custom-tts-providers, "Streaming WebSocket API").
 */

/** One client message; what is not listed is ignored, and so is a type that is not known here. */
export const JambonzMessageSchema = Type.Object({
  type: Type.String({
    description: 'stream, flush or stop; any other keeps the connection alive and does nothing.',
  }),
  text: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'Of stream: words to speak. A message ends with a whole word.',
    }),
  ),
});
export type JambonzMessage = Type.Static<typeof JambonzMessageSchema>;

const validator = Compile(JambonzMessageSchema);

/** @throws SpeechError `invalid_input_message` that names the field at fault. */
export function parseJambonzMessage(message: string): JambonzMessage {
  const value = parseJson(message);
  const advice = 'Send {"type":"stream","text":"…"}.';
  assertSchema(validator, value, { subject: 'Invalid message: ', advice });
  return value as JambonzMessage;
}

const traceProperties = {
  'x-trace-id': Type.String({
    description: 'By which the message can be found in the log of the server.',
  }),
};

/** What the server sends. */
export const JambonzFrames = {
  JambonzConnect: Type.Object({
    type: Type.Literal('connect', { description: 'The connection may be spoken on.' }),
    data: Type.Object(
      {
        sample_rate: Type.Integer({ description: 'Samples per second of the audio that follows.' }),
        base64_encoding: Type.Literal(false, { description: 'Audio comes in binary messages.' }),
      },
      { description: 'What the audio is.' },
    ),
    ...traceProperties,
  }),
  JambonzError: Type.Object({
    type: Type.Literal('error', { description: 'The connection closes.' }),
    error: Type.String({ description: 'What is wrong, and what to do about it.' }),
    code: Type.Enum<ErrorCode[]>(
      errorTable().map(([code]) => code),
      { description: 'Which error it is: a row of the error table.' },
    ),
    ...traceProperties,
  }),
};
type JambonzConnect = Type.Static<typeof JambonzFrames.JambonzConnect>;
type JambonzError = Type.Static<typeof JambonzFrames.JambonzError>;

/** Signed 16-bit little-endian mono PCM, bare. `properties`: lists of fields find none here. */
export const JAMBONZ_AUDIO_SCHEMA = {
  type: 'string',
  format: 'binary',
  description: 'Signed 16-bit little-endian mono PCM at the rate of the connect message.',
  properties: {},
} as const;

export function jambonzConnect(sampleRate: number, traceId: string): string {
  const frame: JambonzConnect = {
    type: 'connect',
    data: { sample_rate: sampleRate, base64_encoding: false },
    'x-trace-id': traceId,
  };
  return JSON.stringify(frame);
}

export function jambonzError({ message, code }: SpeechError, traceId: string): string {
  const frame: JambonzError = { type: 'error', error: message, code, 'x-trace-id': traceId };
  return JSON.stringify(frame);
}
