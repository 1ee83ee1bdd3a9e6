import Type from 'typebox';
import {
  ClientFrameSchema,
  errorProperties,
  field,
  milliseconds,
  traceProperties,
} from '../stream/frame-schemas.ts';

/**
 * Every frame of the two websockets of dialogues, in and out: what is read is validated with these
 * schemas, what is sent is typed by them, and the published description is made of them.
 */

/** As many as the original has. */
export const MAX_DIALOGUE_VOICES = 10;
const MAX_INPUTS = 256;

const InputSchema = Type.Object({
  text: Type.String({ description: 'Text to speak, cut anywhere. It may hold audio tags.' }),
  voice_id: Type.String({ description: 'Who says it: one of voices.' }),
  new_turn: field(Type.Boolean(), {
    description:
      'What was sent before is complete, even if the same voice said it. Another voice always begins a turn.',
    default: false,
  }),
});

const { properties } = ClientFrameSchema;

/** One client frame of either websocket. Unknown fields are ignored; spellings as in `ClientFrameSchema`. */
export const DialogueFrameSchema = Type.Object({
  inputs: field(Type.Array(InputSchema, { maxItems: MAX_INPUTS }), {
    description: 'What is said, by whom, in order. It is added to what was sent before.',
  }),
  voices: field(Type.Array(Type.String(), { minItems: 1, maxItems: MAX_DIALOGUE_VOICES }), {
    description:
      'Ids of all who speak in the context (of a connection that has several, without a context_id: in every context that names none). Due before the first text.',
  }),
  keep_alive: field(Type.Boolean(), {
    description: 'Restarts the inactivity clock, and says nothing.',
    default: false,
  }),
  flush: properties.flush,
  voice_settings: properties.voice_settings,
  pronunciation_dictionary_locators: properties.pronunciation_dictionary_locators,
  xi_api_key: properties.xi_api_key,
  'xi-api-key': properties['xi-api-key'],
  authorization: properties.authorization,
  single_use_token: properties.single_use_token,
  context_id: properties.context_id,
  contextId: properties.contextId,
  close_context: properties.close_context,
  close_socket: field(Type.Boolean(), {
    description:
      'Everything that was sent is spoken, then the connection closes. Of stream-input it is the end of the dialogue.',
    default: false,
  }),
});
export type DialogueFrame = Type.Static<typeof DialogueFrameSchema>;

const DialogueAlignmentSchema = Type.Object(
  {
    chars: Type.Immutable(
      Type.Array(Type.String(), {
        description: 'Characters as a reader sees them, audio tags included, in order.',
      }),
    ),
    char_start_times_ms: milliseconds(
      'When each is heard, from the first character of this message on.',
    ),
    char_durations_ms: milliseconds(
      'How long each lasts; the sums of all messages are the length of the audio.',
    ),
  },
  {
    description:
      'When each character that starts in this audio is heard, on the text as it was sent.',
  },
);
export type DialogueAlignment = Type.Static<typeof DialogueAlignmentSchema>;

const contextProperties = {
  context_id: Type.Optional(
    Type.String({ description: 'The context that the frame is about; multi-stream-input only.' }),
  ),
};

/** What both websockets send. */
export const DialogueFrames = {
  DialogueAudioFrame: Type.Object({
    audio: Type.String({
      contentEncoding: 'base64',
      description: 'Base64 of the audio, in the format of output_format, without a header.',
    }),
    alignment: Type.Optional(DialogueAlignmentSchema),
    ...contextProperties,
    ...traceProperties,
  }),
  DialogueTurnFinalFrame: Type.Object({
    is_final_audio_for_turn: Type.Literal(true, {
      description: 'All audio of what was sent before a flush has been sent: once for each flush.',
    }),
    ...contextProperties,
    ...traceProperties,
  }),
  DialogueFinalFrame: Type.Object({
    is_final: Type.Literal(true, { description: 'Nothing more comes of the context.' }),
    ...contextProperties,
    ...traceProperties,
  }),
  DialogueErrorFrame: Type.Object({ ...errorProperties, ...contextProperties, ...traceProperties }),
};
