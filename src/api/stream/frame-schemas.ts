import Type from 'typebox';
import { type ErrorCode, errorTable } from '../../domain/errors.ts';
import { LocatorSchema } from '../wire/dictionary-locators.ts';
import { VoiceSettingsSchema } from '../wire/voice-settings.ts';

/**
 * Every frame of both websockets, in and out. Client frames are validated with these schemas, server
 * frames are typed by them, and the published description of the protocol is made of them.
 */

const nullable = <T extends Type.TSchema>(schema: T, options: Type.TSchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options);
/** A field of a client frame: it may be left out, and null means the same. */
export const field = <T extends Type.TSchema>(schema: T, options: Type.TSchemaOptions) =>
  Type.Optional(nullable(schema, options));

const GenerationConfigSchema = Type.Object({
  chunk_length_schedule: field(
    Type.Array(Type.Number({ minimum: 50, maximum: 500 }), { minItems: 1, maxItems: 32 }),
    {
      description:
        'The n-th number is how many new characters must be waiting before the n-th piece is spoken; the last one repeats. Used at optimize_streaming_latency 0 without auto_mode.',
    },
  ),
});

const KEY = 'The API key, for clients that cannot set headers. Read in the first frame only.';
const CONTEXT_ID =
  'multi-stream-input only. The context that the frame is for; an id not seen before opens one.';
const GENERATION_CONFIG = 'When buffered text is spoken. Sent early, repeated and fixed likewise.';

/**
 * One client frame of either websocket. Unknown fields are ignored, as the original does, and numbers
 * and truth values may come in other spellings: see `readSpelled`.
 */
export const ClientFrameSchema = Type.Object({
  text: field(Type.String(), {
    description:
      'Text to speak, cut anywhere. A single space keeps the connection alive. An empty string ends the input of stream-input (unless it flushes), and only keeps multi-stream-input alive.',
  }),
  try_trigger_generation: field(Type.Boolean(), {
    description: 'Speak what is buffered now, if it is long enough to sound well by itself.',
    default: false,
  }),
  flush: field(Type.Boolean(), {
    description: 'Speak everything buffered now.',
    default: false,
  }),
  voice_settings: field(VoiceSettingsSchema, {
    description:
      'How the voice delivers. May come in any frame until the first text is spoken; may be repeated; a change after that is refused.',
  }),
  generation_config: field(GenerationConfigSchema, { description: GENERATION_CONFIG }),
  generator_config: field(GenerationConfigSchema, {
    description: 'The other spelling of generation_config.',
  }),
  pronunciation_dictionary_locators: field(Type.Array(LocatorSchema, { maxItems: 3 }), {
    description:
      'Pronunciation dictionaries, in the order in which they apply. May come until the first text is spoken.',
  }),
  xi_api_key: field(Type.String(), { description: KEY }),
  'xi-api-key': field(Type.String(), { description: 'Another spelling of xi_api_key.' }),
  authorization: field(Type.String(), {
    description: 'Another spelling of xi_api_key; "Bearer " before the key is allowed.',
  }),
  single_use_token: field(Type.String(), {
    description: 'In place of a key: a single-use token. Read in the first frame only.',
  }),
  context_id: field(Type.String({ maxLength: 256 }), { description: CONTEXT_ID }),
  contextId: field(Type.String({ maxLength: 256 }), {
    description: 'The other spelling of context_id.',
  }),
  close_context: field(Type.Boolean(), {
    description:
      'multi-stream-input only. No more text: the context speaks what is buffered, then ends. Sent again, it stops at once.',
    default: false,
  }),
  close_socket: field(Type.Boolean(), {
    description: 'multi-stream-input only. Every context ends, then the connection closes.',
    default: false,
  }),
});
export type ClientFrame = Type.Static<typeof ClientFrameSchema>;

export const milliseconds = (description: string) =>
  Type.Immutable(Type.Array(Type.Integer({ minimum: 0 }), { description }));

const AlignmentSchema = Type.Object({
  chars: Type.Immutable(
    Type.Array(Type.String(), {
      description:
        'Characters as a reader sees them, in order; each piece of text ends with a space.',
    }),
  ),
  charStartTimesMs: milliseconds(
    'When each is heard, from the start of its piece of text; under sync_alignment, of its context.',
  ),
  charDurationsMs: milliseconds('How long each lasts; the sum is the length of the audio.'),
});
export type WireAlignment = Type.Static<typeof AlignmentSchema>;

const AUDIO = 'Base64 of the audio, in the format of output_format, without a header.';
const ALIGNMENT =
  'When each character is heard, on the text as it was sent: three arrays of equal length. With the first frame of each spoken piece of text and null in its other frames; under sync_alignment in every frame in which a character starts.';
const SPOKEN =
  'The same on the text as it is spoken (numbers and the like written out), with one more space before it.';

const audioProperties = {
  audio: Type.String({ contentEncoding: 'base64', description: AUDIO }),
  alignment: nullable(AlignmentSchema, { description: ALIGNMENT }),
  normalizedAlignment: nullable(AlignmentSchema, { description: SPOKEN }),
};
const contextProperties = {
  contextId: Type.String({ description: 'The context that the frame belongs to.' }),
  context_id: Type.String({ description: 'The same; clients read one spelling or the other.' }),
};
const finalProperties = {
  audio: Type.Null({ description: 'No audio is left.' }),
  isFinal: Type.Literal(true, { description: 'Nothing more comes.' }),
};

/** Of every frame that the server sends. */
export const traceProperties = {
  'x-trace-id': Type.String({
    description:
      "By which the frame can be found in the log of the server: the x-trace-id of the handshake's answer, and the number of the chunk of text that it speaks.",
  }),
};
export type TraceFields = Type.Static<Type.TObject<typeof traceProperties>>;

/** The audio fields that both websockets share. */
const AudioFieldsSchema = Type.Object(audioProperties);
export type AudioFields = Type.Static<typeof AudioFieldsSchema>;

const codes = errorTable().map(([code]) => code);
const closeCodes = [...new Set(errorTable().map(([, row]) => row.close))];

export const errorProperties = {
  message: Type.String({ description: 'What is wrong, and what to do about it.' }),
  error: Type.Enum<ErrorCode[]>(codes, {
    description: 'Which error it is: a row of the error table.',
  }),
  code: Type.Enum(closeCodes, { description: 'The code that the connection closes with.' }),
  param: Type.Optional(Type.String({ description: 'The parameter or field at fault.' })),
};

const ErrorFieldsSchema = Type.Object(errorProperties);
export type ErrorFields = Type.Static<typeof ErrorFieldsSchema>;

/** What `stream-input` sends. The first four keys are always there: strict clients need them. */
export const StreamInputFrames = {
  AudioFrame: Type.Object({
    ...audioProperties,
    isFinal: Type.Null({ description: 'More may come.' }),
    ...traceProperties,
  }),
  FinalFrame: Type.Object({
    ...finalProperties,
    alignment: Type.Null(),
    normalizedAlignment: Type.Null(),
    ...traceProperties,
  }),
  ErrorFrame: Type.Object({ ...errorProperties, ...traceProperties }),
};

/** What `multi-stream-input` sends. */
export const MultiStreamFrames = {
  ContextAudioFrame: Type.Object({ ...audioProperties, ...contextProperties, ...traceProperties }),
  ContextFinalFrame: Type.Object({ ...finalProperties, ...contextProperties, ...traceProperties }),
  ContextErrorFrame: Type.Object({
    ...errorProperties,
    contextId: Type.Optional(Type.String({ description: 'The context at fault, where one is.' })),
    context_id: Type.Optional(Type.String({ description: 'The same.' })),
    ...traceProperties,
  }),
};
