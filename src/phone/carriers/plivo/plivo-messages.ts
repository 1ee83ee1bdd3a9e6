import Type from 'typebox';
import { digit, optional, wholeNumberField } from '../message-fields.ts';
import { MessageReader } from '../message-reader.ts';

/** What Plivo says (plivo.com/docs/voice-agents/audio-streaming, "Protocol Reference"). */
export const plivoMessages = new MessageReader('Plivo', 'event', {
  start: Type.Object({
    start: Type.Object({
      streamId: Type.String({ minLength: 1 }),
      callId: optional(Type.String()),
      mediaFormat: optional(Type.Object({ encoding: Type.String(), sampleRate: wholeNumberField })),
    }),
    extra_headers: optional(Type.String({ maxLength: 4096 })),
  }),
  media: Type.Object({
    media: Type.Object({
      payload: Type.String(),
      track: optional(Type.String()),
      chunk: optional(wholeNumberField),
    }),
  }),
  dtmf: Type.Object({ dtmf: Type.Object({ digit }) }),
  /** Of a checkpoint. One that a `clearAudio` overtook never comes. */
  playedStream: Type.Object({ name: Type.String() }),
  clearedAudio: Type.Object({}),
  /** Not in the reference, yet in Plivo's own examples. */
  stop: Type.Object({}),
});
