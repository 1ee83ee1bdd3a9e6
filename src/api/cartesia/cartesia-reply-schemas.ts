import { Type } from 'typebox';
import { SPEECH_HEADERS } from '../rest-speech/reply-schemas.ts';
import type { JsonSchema } from '../wire/json-schema.ts';
import { WordTimesSchema } from './cartesia-event-schemas.ts';

const CartesiaSpeechEvent = Type.Object(
  {
    type: Type.Enum(['chunk', 'timestamps', 'done', 'error']),
    done: Type.Boolean({ description: 'Whether nothing follows.' }),
    status_code: Type.Integer({ description: '206, or the status of the error.' }),
    context_id: Type.Optional(Type.String()),
    data: Type.Optional(Type.String({ description: 'Of a chunk: audio as base64.' })),
    step_time: Type.Optional(Type.Number({ description: 'Of a chunk: milliseconds of work.' })),
    word_timestamps: Type.Optional(WordTimesSchema),
  },
  { title: 'CartesiaSpeechEvent' },
);

const CONTENT_TYPES = ['audio/mpeg', 'audio/wav', 'audio/pcm', 'audio/ulaw', 'audio/alaw'];

/** What `/tts/bytes` and `/tts/sse` answer with, for the documents. */
export const CARTESIA_REPLIES = {
  bytes: {
    200: {
      description: 'The speech, from its first tenth of a second on.',
      headers: SPEECH_HEADERS,
      content: Object.fromEntries(CONTENT_TYPES.map((type) => [type, { schema: {} }])),
    },
  },
  sse: {
    200: {
      description: 'The speech as events, as it is made.',
      headers: SPEECH_HEADERS,
      content: { 'text/event-stream': { schema: CartesiaSpeechEvent as unknown as JsonSchema } },
    },
  },
};
