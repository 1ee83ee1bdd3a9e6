import { Type } from 'typebox';
import { CartesiaErrorReply } from './cartesia-errors.ts';

/** What Cartesia gives all that goes well ("partial content"). */
export const CARTESIA_STATUS = 206;

const toldOf = {
  context_id: Type.Optional(Type.String({ description: 'The context that it is about.' })),
};
const flushId = Type.Optional(
  Type.Integer({ minimum: 1, description: 'The flush that it belongs to, from 1.' }),
);
const goesOn = {
  done: Type.Literal(false, { description: 'More of the context follows.' }),
  status_code: Type.Literal(CARTESIA_STATUS, { description: 'All is well.' }),
};
const seconds = (description: string) => Type.Array(Type.Number(), { description });

export const WordTimesSchema = Type.Object(
  {
    words: Type.Array(Type.String(), { description: 'Whole words, in order.' }),
    start: seconds('When each begins, in seconds from the start of the context.'),
    end: seconds('When each ends, likewise.'),
  },
  { description: 'When words are heard; lists of equal length.' },
);

/** What the server says of a context, as messages of the websocket and as server-sent events. */
export const CartesiaEventSchemas = {
  CartesiaChunk: Type.Object({
    type: Type.Literal('chunk', { description: 'Audio, in the order of the text.' }),
    data: Type.String({ contentEncoding: 'base64', description: 'The audio, without a header.' }),
    step_time: Type.Number({ description: 'Milliseconds since the audio before.' }),
    flush_id: flushId,
    ...goesOn,
    ...toldOf,
  }),
  CartesiaTimestamps: Type.Object({
    type: Type.Literal('timestamps', { description: 'When words are heard.' }),
    word_timestamps: WordTimesSchema,
    flush_id: flushId,
    ...goesOn,
    ...toldOf,
  }),
  CartesiaFlushDone: Type.Object({
    type: Type.Literal('flush_done', { description: 'All audio before a flush has been sent.' }),
    flush_done: Type.Literal(true, { description: 'The same.' }),
    flush_id: Type.Integer({ minimum: 1, description: 'Which flush it was, from 1.' }),
    ...goesOn,
    ...toldOf,
  }),
  CartesiaDone: Type.Object({
    type: Type.Literal('done', { description: 'Nothing more comes of the context.' }),
    done: Type.Literal(true, { description: 'The same.' }),
    status_code: goesOn.status_code,
    ...toldOf,
  }),
  CartesiaError: Type.Object({
    type: Type.Literal('error', { description: 'The context has ended.' }),
    done: Type.Literal(true, { description: 'Nothing more comes of the context.' }),
    status_code: Type.Integer({ minimum: 400, description: 'The HTTP status of the error.' }),
    ...CartesiaErrorReply.properties,
    error: Type.String({ description: 'Title and message, as older clients read them.' }),
    ...toldOf,
  }),
};
export type CartesiaEvent = Type.Static<
  (typeof CartesiaEventSchemas)[keyof typeof CartesiaEventSchemas]
>;
