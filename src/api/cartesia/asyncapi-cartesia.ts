import type { ChannelRow } from '../stream/asyncapi-channels.ts';
import type { ClientMessage } from '../stream/asyncapi-client-messages.ts';
import { type ServerMessage, SHORT_AUDIO } from '../stream/asyncapi-server-messages.ts';
import {
  CARTESIA_STATUS,
  type CartesiaEvent,
  CartesiaEventSchemas,
} from './cartesia-event-schemas.ts';
import { CartesiaMessageSchema } from './cartesia-schemas.ts';

const CONTEXT = { context_id: 'turn-1' };
const SPOKEN_WITH = {
  model_id: 'sonic-3',
  voice: { mode: 'id', id: 'f786b574-daa5-4673-aa0c-cbe3e8534c02' },
  output_format: { container: 'raw', encoding: 'pcm_mulaw', sample_rate: 8000 },
};

const QUERY_SCHEMA = {
  type: 'object',
  properties: {
    api_key: { type: 'string', description: 'The key, for clients that cannot set X-API-Key.' },
    access_token: { type: 'string', description: 'A single-use token, in place of a key.' },
    cartesia_version: { type: 'string', description: 'Any: answers have the fields of all.' },
  },
} as const;

const given = (name: string, schema: object) => ({
  required: [name],
  properties: { [name]: schema },
});
const TEXT = given('transcript', { type: 'string', minLength: 1 });
const NO_TEXT = given('transcript', { const: '' });
const TRUE = { const: true };

const MESSAGES: Readonly<Record<string, ClientMessage>> = {
  cartesiaText: {
    title: 'Text',
    summary:
      'Adds text to a context. The first of a context opens it, and says how it is spoken. Five may be open at once; one that has ended does not count.',
    demands: TEXT,
    examples: [
      {
        summary: 'A token, with how it is spoken',
        payload: { ...CONTEXT, ...SPOKEN_WITH, transcript: 'Hello ', continue: true },
      },
      {
        summary: 'The last of a sentence that must be heard now',
        payload: { ...CONTEXT, ...SPOKEN_WITH, transcript: 'there.', continue: true, flush: true },
      },
      {
        summary: 'A whole turn',
        payload: { ...CONTEXT, ...SPOKEN_WITH, transcript: 'Hello there.', add_timestamps: true },
      },
    ],
  },
  cartesiaFlush: {
    title: 'Flush',
    summary: 'Speaks everything that the context holds, and says when its audio has been sent.',
    demands: { allOf: [NO_TEXT, given('continue', TRUE), given('flush', TRUE)] },
    examples: [
      {
        summary: 'Without more text',
        payload: { ...CONTEXT, ...SPOKEN_WITH, transcript: '', continue: true, flush: true },
      },
    ],
  },
  cartesiaEnd: {
    title: 'End of a context',
    summary: 'No more text: what the context holds is spoken, then it is done.',
    demands: { allOf: [NO_TEXT, { not: given('continue', TRUE) }] },
    examples: [
      {
        summary: 'At the end of a turn',
        payload: { ...CONTEXT, ...SPOKEN_WITH, transcript: '', continue: false },
      },
    ],
  },
  cartesiaCancel: {
    title: 'Cancel',
    summary: 'The context falls silent at once, and is done.',
    demands: given('cancel', TRUE),
    examples: [{ summary: 'At an interruption', payload: { ...CONTEXT, cancel: true } }],
  },
};

function reply(
  schema: keyof typeof CartesiaEventSchemas,
  title: string,
  summary: string,
  event: CartesiaEvent,
): ServerMessage {
  return {
    ...{ title, summary, schema },
    examples: [{ summary: 'As it is sent', payload: { ...event, ...CONTEXT } }],
  };
}
const GOES_ON = { done: false, status_code: CARTESIA_STATUS } as const;

const REPLIES: Readonly<Record<string, ServerMessage>> = {
  cartesiaChunk: reply('CartesiaChunk', 'Chunk', 'Speech, as soon as it is made.', {
    ...{ type: 'chunk', data: SHORT_AUDIO, step_time: 41.2, flush_id: 1 },
    ...GOES_ON,
  }),
  cartesiaTimestamps: reply(
    'CartesiaTimestamps',
    'Timestamps',
    'When words are heard, where a context asked for it.',
    {
      type: 'timestamps',
      word_timestamps: { words: ['Hello', 'there.'], start: [0, 0.41], end: [0.38, 0.79] },
      flush_id: 1,
      ...GOES_ON,
    },
  ),
  cartesiaFlushDone: reply(
    'CartesiaFlushDone',
    'Flush done',
    'Behind the audio of all text before a flush.',
    { ...{ type: 'flush_done', flush_done: true, flush_id: 1 }, ...GOES_ON },
  ),
  cartesiaDone: reply(
    'CartesiaDone',
    'Done',
    'The context has ended: sent exactly once, and not after an error. Its place is free, and its id may come again.',
    { type: 'done', done: true, status_code: CARTESIA_STATUS },
  ),
  cartesiaError: reply(
    'CartesiaError',
    'Error',
    'What went wrong. It ends its context alone; without context_id, the connection closes.',
    {
      ...{ type: 'error', done: true, status_code: 404, error_code: 'voice_not_found' },
      title: 'Voice not found',
      message: 'There is no voice "nobody". GET /v1/voices lists those there are.',
      error: 'Voice not found: There is no voice "nobody". GET /v1/voices lists those there are.',
      request_id: '5f0c2a4e-7f0d-4b8e-9d41-6c0e2f1a7b33',
      param: 'voice',
    },
  ),
};

/** Cartesia's websocket, for the AsyncAPI document. */
export const CARTESIA_CHANNELS: Readonly<Record<string, ChannelRow>> = {
  cartesia: {
    address: '/tts/websocket',
    parameters: {},
    title: 'Cartesia',
    summary:
      'Speaks any number of contexts, each with a voice and a format of its own, as Cartesia does. The handshake is refused with 401 for a wrong key.',
    query: QUERY_SCHEMA,
    clientSchema: 'CartesiaMessage',
    clientMessages: MESSAGES,
    serverMessages: REPLIES,
    schemas: { CartesiaMessage: CartesiaMessageSchema, ...CartesiaEventSchemas },
  },
};
