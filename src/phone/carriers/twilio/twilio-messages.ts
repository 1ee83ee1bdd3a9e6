import Type from 'typebox';
import { digit, optional, wholeNumberField } from '../message-fields.ts';

/**
 * What Twilio says on a media stream (twilio.com/docs/voice/media-streams/websocket-messages). Of
 * `connected` nothing is needed. Numbers come as text, except those of the media format.
 */
export const TWILIO_SCHEMAS = {
  start: Type.Object({
    streamSid: Type.String({ minLength: 1 }),
    start: Type.Object({
      callSid: optional(Type.String()),
      customParameters: optional(Type.Record(Type.String(), Type.Unknown())),
      mediaFormat: Type.Object({
        encoding: Type.String(),
        sampleRate: wholeNumberField,
        channels: optional(wholeNumberField),
      }),
    }),
  }),
  media: Type.Object({
    media: Type.Object({
      payload: Type.String(),
      track: optional(Type.String()),
      chunk: optional(wholeNumberField),
    }),
  }),
  dtmf: Type.Object({ dtmf: Type.Object({ digit }) }),
  mark: Type.Object({ mark: Type.Object({ name: Type.String() }) }),
  stop: Type.Object({}),
};
