import Type from 'typebox';
import { isSampleCodec, OUTPUT_FORMATS } from '../../domain/audio.ts';
import { CARRIER_NAMES } from '../../domain/carrier.ts';
import { errorTable } from '../../domain/errors.ts';

/**
 * Every frame between a call and its bot, besides the text frames, which are those of the streaming
 * websocket. Commands are validated with these schemas, events are typed by them, and the published
 * description of the protocol is made of them.
 */

const kind = <T extends string>(name: T) =>
  Type.Literal(name, { description: 'What the frame is.' });
const nullable = <T extends Type.TSchema>(schema: T, options: Type.TSchemaOptions) =>
  Type.Union([schema, Type.Null()], options);
const text = (description: string) => Type.String({ description });

/** A phone number, an extension of a switchboard, or a SIP address. */
export const TRANSFER_TARGET_PATTERN =
  '^(\\+?[0-9*#]{2,32}|sips?:[^\\s<>"\'@]{1,128}@[^\\s<>"\'@]{1,128})$';

/** What the caller's audio can be had in: formats that turn each sample into bytes by itself. */
const LISTEN_FORMATS = OUTPUT_FORMATS.filter(
  ({ codec, isStreamable }) => isStreamable && isSampleCodec(codec),
).map(({ name }) => name);

const BASE64 = '^[A-Za-z0-9+/]*={0,2}$';

/** What a bot may send besides text; `type` tells one from the other. */
export const BotCommands = {
  clear: Type.Object({ type: kind('clear') }),
  mark: Type.Object({
    type: kind('mark'),
    name: Type.String({ maxLength: 256, description: 'Comes back in the mark event.' }),
  }),
  hang_up: Type.Object({
    type: kind('hang_up'),
    when: Type.Optional(
      Type.Enum(['now', 'after_speech'], {
        description: 'At once, or when everything said so far has been heard.',
        default: 'after_speech',
      }),
    ),
  }),
  transfer: Type.Object({
    type: kind('transfer'),
    to: Type.String({
      pattern: TRANSFER_TARGET_PATTERN,
      description: 'A phone number such as +15551234567, an extension, or a SIP address.',
    }),
  }),
  audio: Type.Object({
    type: kind('audio'),
    audio: Type.String({
      minLength: 4,
      pattern: BASE64,
      contentEncoding: 'base64',
      description:
        "Base64 of raw audio in the call's audio_format, without a header. A binary message is the same without base64.",
    }),
  }),
  listen: Type.Object({
    type: kind('listen'),
    format: nullable(Type.Enum(LISTEN_FORMATS), {
      description: "What the caller's audio is to come in; null ends it.",
    }),
  }),
  keep_alive: Type.Object({ type: kind('keep_alive') }),
};
export type BotCommandName = keyof typeof BotCommands;

const CONTEXT_ID = 'The context of the text frames that it is about.';

const callProperties = {
  call_id: text('The call: its place is /v1/calls/{call_id}.'),
  line_id: text('The line that it came in on.'),
  carrier: Type.Enum([...CARRIER_NAMES], { description: 'Who carries it.' }),
  carrier_call_id: nullable(Type.String(), {
    description: "The carrier's own id of the call, where it tells one.",
  }),
  from: nullable(Type.String(), { description: 'Who calls, where the carrier tells.' }),
  to: nullable(Type.String(), { description: 'Who was called, where the carrier tells.' }),
  parameters: Type.Immutable(
    Type.Record(Type.String(), Type.String(), {
      description: 'What the call set-up passed along, without keys and tokens.',
    }),
  ),
  audio_format: text("What the caller is sent, and so the format of the bot's own audio."),
  started_at_unix_ms: Type.Integer({
    minimum: 0,
    description: 'When it began, in milliseconds since 1970.',
  }),
};

/** A call, as bots and the list of calls show it. */
export const CallSchema = Type.Object(callProperties);
export type WireCall = Type.Static<typeof CallSchema>;

const CutSpeechSchema = Type.Object({
  context_id: text(CONTEXT_ID),
  heard: text('The text that the caller heard, up to the last whole word.'),
  unheard: text('The rest of what was written.'),
  heard_ms: Type.Integer({ minimum: 0, description: 'Audio of the context that was heard.' }),
});

const errorCodes = errorTable().map(([code]) => code);
const errorProperties = {
  error: Type.Enum(errorCodes, { description: 'Which error it is: a row of the error table.' }),
  message: text('What is wrong, and what to do about it.'),
  param: Type.Optional(text('The field at fault.')),
};

/** What a call tells its bot. */
export const BotEvents = {
  CallStartEvent: Type.Object({ type: kind('call_start'), ...callProperties }),
  CallerAudioEvent: Type.Object({
    type: kind('audio'),
    audio: Type.String({
      contentEncoding: 'base64',
      description: "Base64 of the caller's audio, in the format of listen.",
    }),
  }),
  DtmfEvent: Type.Object({ type: kind('dtmf'), digit: text('The key: 0–9, *, #, A–D.') }),
  MarkEvent: Type.Object({ type: kind('mark'), name: text('As the mark command had it.') }),
  SpeechStartEvent: Type.Object({ type: kind('speech_start') }),
  SpeechEndEvent: Type.Object({ type: kind('speech_end') }),
  InterruptionEvent: Type.Object({
    type: kind('interruption'),
    cause: Type.Enum(['clear', 'speech', 'dtmf'], {
      description: "The bot's own clear, the caller's voice, or a key of the phone.",
    }),
    contexts: Type.Immutable(
      Type.Array(CutSpeechSchema, {
        description: 'What was cut off, in the order in which it was to be heard.',
      }),
    ),
  }),
  ContextEndEvent: Type.Object({ type: kind('context_end'), context_id: text(CONTEXT_ID) }),
  RefusalEvent: Type.Object({
    type: kind('refusal'),
    ...errorProperties,
    context_id: Type.Optional(text(CONTEXT_ID)),
  }),
  CallErrorEvent: Type.Object({
    type: kind('error'),
    ...errorProperties,
    code: Type.Integer({ description: 'The code that the connection closes with.' }),
  }),
  CallEndEvent: Type.Object({
    type: kind('call_end'),
    reason: Type.Enum(['hangup', 'completed', 'error'], {
      description:
        'The caller or the carrier hung up, the bot ended the call, or something went wrong.',
    }),
    duration_ms: Type.Integer({ minimum: 0, description: 'How long the call lasted.' }),
  }),
};

/** What the lobby tells, besides errors. */
export const LobbyEvents = {
  CallWaitingEvent: Type.Object({ type: kind('call_waiting'), ...callProperties }),
  CallGoneEvent: Type.Object({
    type: kind('call_gone'),
    call_id: text('The call that waits no longer.'),
  }),
};

type Events = typeof BotEvents & typeof LobbyEvents;
export type WireBotEvent = { [K in keyof Events]: Type.Static<Events[K]> }[keyof Events];
