import type { ChannelRow } from '../stream/asyncapi-channels.ts';
import type { ClientMessage } from '../stream/asyncapi-client-messages.ts';
import type { ServerMessage } from '../stream/asyncapi-server-messages.ts';
import { CONNECT_QUERY_SCHEMA } from '../stream/connect-query-schema.ts';
import { RAW_ENCODING_NAMES } from './deepgram-formats.ts';
import { DeepgramMessageSchema, DeepgramReplies } from './deepgram-frames.ts';
import { DEEPGRAM_SOCKET_LEVEL } from './deepgram-socket-query.ts';

const { optimize_streaming_latency, seed, apply_text_normalization, enable_ssml_parsing } =
  CONNECT_QUERY_SCHEMA.properties;

const QUERY_SCHEMA = {
  type: 'object',
  properties: {
    model: {
      type: 'string',
      description:
        'Who speaks: the name of one of Deepgram’s English voices, such as aura-2-thalia-en, or a voice_id of GET /v1/voices. The default voice unless given.',
    },
    encoding: {
      type: 'string',
      enum: RAW_ENCODING_NAMES,
      default: 'linear16',
      description: 'Of the audio, which is raw.',
    },
    sample_rate: {
      type: 'integer',
      description:
        'Samples per second: of linear16 (24000 unless given), or of mulaw or alaw (8000, which is the default, or 16000).',
    },
    speed: {
      type: 'number',
      description: 'Pace; 0.7 to 1.2 are spoken, and what is beyond counts as these.',
    },
    optimize_streaming_latency: { ...optimize_streaming_latency, default: DEEPGRAM_SOCKET_LEVEL },
    seed,
    apply_text_normalization,
    enable_ssml_parsing,
  },
} as const;

const typed = (type: string, ...required: readonly string[]) => ({
  required: ['type', ...required],
  properties: { type: { const: type } },
});
const message = (title: string, summary: string, fields: object = {}): ClientMessage => ({
  title,
  summary,
  demands: typed(title, ...Object.keys(fields)),
  examples: [{ summary: 'As its clients send it', payload: { type: title, ...fields } }],
});

const MESSAGES: Readonly<Record<string, ClientMessage>> = {
  deepgramSpeak: message('Speak', 'Adds text, cut anywhere.', { text: 'Hello. ' }),
  deepgramFlush: message('Flush', 'Speaks everything that waits, and says when it was sent.'),
  deepgramClear: message('Clear', 'Falls silent at once, and drops everything that waits.'),
  deepgramKeepAlive: message('KeepAlive', 'Restarts the inactivity clock.'),
  deepgramClose: message('Close', 'Has everything spoken, then the connection closes with 1000.'),
};

const reply = (schema: keyof typeof DeepgramReplies, summary: string, payload: object) => ({
  title: schema.replace('Deepgram', ''),
  summary,
  schema,
  examples: [{ summary: 'As it is sent', payload: { ...payload } }],
});
const REQUEST_ID = '5f0c2a4e-7f0d-4b8e-9d41-6c0e2f1a7b33';

const REPLIES: Readonly<Record<string, ServerMessage>> = {
  deepgramMetadata: reply('DeepgramMetadata', 'The first message: who speaks.', {
    type: 'Metadata',
    request_id: REQUEST_ID,
    model_name: 'aura-2-thalia-en',
    model_version: 'en_US-libritts_r-medium',
    model_uuid: '3f0c2a4e-7f0d-8b8e-8d41-6c0e2f1a7b33',
  }),
  deepgramAudio: {
    title: 'Audio',
    summary: 'A binary message: raw audio of the encoding asked for, in the order of the text.',
    schema: 'DeepgramAudio',
    contentType: 'application/octet-stream',
    examples: [],
  },
  deepgramFlushed: reply('DeepgramFlushed', 'Behind the audio of all text before a Flush.', {
    type: 'Flushed',
    sequence_id: 0,
  }),
  deepgramCleared: reply('DeepgramCleared', 'Behind it, nothing said before a Clear follows.', {
    type: 'Cleared',
    sequence_id: 1,
  }),
  deepgramWarning: reply('DeepgramWarning', 'What was asked for and is not done.', {
    type: 'Warning',
    code: 'PARAMETER_NOT_USED',
    description: 'container has no effect on a websocket, whose audio is raw.',
  }),
  deepgramError: reply('DeepgramError', 'What went wrong. The connection closes.', {
    type: 'Error',
    code: 'Bad Request',
    description: 'Invalid message: text must be string.',
    request_id: REQUEST_ID,
  }),
};

/** Deepgram's websocket, for the AsyncAPI document. */
export const DEEPGRAM_CHANNELS: Readonly<Record<string, ChannelRow>> = {
  deepgram: {
    address: '/v1/speak',
    parameters: {},
    title: 'Deepgram',
    summary:
      'Speaks one text after another, as Deepgram does. The handshake is refused for a wrong key, an unknown voice or a wrong query.',
    query: QUERY_SCHEMA,
    clientSchema: 'DeepgramMessage',
    clientMessages: MESSAGES,
    serverMessages: REPLIES,
    schemas: {
      DeepgramMessage: DeepgramMessageSchema,
      ...DeepgramReplies,
      DeepgramAudio: {
        type: 'string',
        format: 'binary',
        description: 'Raw audio, without a header.',
        properties: {},
      },
    },
  },
};
