import Type from 'typebox';
import { digit, optional, wholeNumberField } from '../message-fields.ts';
import { MessageReader } from '../message-reader.ts';

/** What Exotel says on a Voicebot stream (developer.exotel.com, "WebSocket protocol"). */
export const exotelMessages = new MessageReader('Exotel', 'event', {
  start: Type.Object({
    stream_sid: Type.String({ minLength: 1 }),
    start: Type.Object({
      call_sid: optional(Type.String()),
      from: optional(Type.String()),
      to: optional(Type.String()),
      custom_parameters: optional(Type.Record(Type.String(), Type.Unknown())),
      media_format: Type.Object({
        encoding: optional(Type.String()),
        sample_rate: optional(wholeNumberField),
      }),
    }),
  }),
  media: Type.Object({ media: Type.Object({ payload: Type.String() }) }),
  dtmf: Type.Object({ dtmf: Type.Object({ digit }) }),
  mark: Type.Object({ mark: Type.Object({ name: Type.String() }) }),
  stop: Type.Object({}),
});
