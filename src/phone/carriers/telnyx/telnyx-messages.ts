import Type from 'typebox';
import { digit, optional, wholeNumberField } from '../message-fields.ts';
import { MessageReader } from '../message-reader.ts';

/** What Telnyx says (developers.telnyx.com, "Stream call media over WebSocket"). */
export const telnyxMessages = new MessageReader('Telnyx', 'event', {
  start: Type.Object({
    stream_id: Type.String({ minLength: 1 }),
    start: Type.Object({
      call_control_id: optional(Type.String()),
      from: optional(Type.String()),
      to: optional(Type.String()),
      custom_parameters: optional(Type.Record(Type.String(), Type.Unknown())),
      media_format: Type.Object({
        encoding: Type.String(),
        sample_rate: wholeNumberField,
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
  /** Its titles are fixed words, such as `malformed_frame`, `invalid_media`, `rate_limit_reached`. */
  error: Type.Object({
    payload: optional(
      Type.Object({
        code: optional(wholeNumberField),
        title: optional(Type.String({ maxLength: 64 })),
      }),
    ),
  }),
  stop: Type.Object({}),
});
