import type { ClientMessage } from './asyncapi-client-messages.ts';
import type { ServerMessage } from './asyncapi-server-messages.ts';

const typed = (type: string) => ({ properties: { type: { const: type } } });
const TRACE = { 'x-trace-id': '5f0c2a4e-7f0d-4b8e-9d41-6c0e2f1a7b33-0' };

/** The messages that jambonz sends. */
export const JAMBONZ_MESSAGES: Readonly<Record<string, ClientMessage>> = {
  jambonzStream: {
    title: 'Stream',
    summary: 'Adds words. A sentence that is complete is spoken at once.',
    demands: { required: ['text'], ...typed('stream') },
    examples: [
      {
        summary: 'Words of a bot',
        payload: { type: 'stream', text: 'Hello, how can I help you?' },
      },
    ],
  },
  jambonzFlush: {
    title: 'Flush',
    summary: 'Speaks everything buffered now.',
    demands: typed('flush'),
    examples: [{ summary: 'At the end of a turn', payload: { type: 'flush' } }],
  },
  jambonzStop: {
    title: 'Stop',
    summary:
      'The caller has interrupted: what is being said and what is buffered is dropped, and no audio of it follows. The next words are spoken at once.',
    demands: typed('stop'),
    examples: [{ summary: 'At an interruption', payload: { type: 'stop' } }],
  },
};

export const JAMBONZ_REPLIES: Readonly<Record<string, ServerMessage>> = {
  jambonzConnect: {
    title: 'Connect',
    summary: 'The first message: the connection may be spoken on, and what the audio will be.',
    schema: 'JambonzConnect',
    examples: [
      {
        summary: 'On a call of a telephone network',
        payload: { type: 'connect', data: { sample_rate: 8000, base64_encoding: false }, ...TRACE },
      },
    ],
  },
  jambonzAudio: {
    title: 'Audio',
    summary:
      'A binary message: signed 16-bit little-endian mono PCM, without a header, whole samples, in the order of the text.',
    schema: 'JambonzAudio',
    contentType: 'audio/pcm',
    examples: [],
  },
  jambonzError: {
    title: 'Error',
    summary: 'What went wrong. The connection closes; the reason is the message, cut to 123 bytes.',
    schema: 'JambonzError',
    examples: [
      {
        summary: 'A key that was revoked during a call',
        payload: {
          type: 'error',
          error:
            'The API key that opened this connection was rotated or revoked. Connect again with another.',
          code: 'invalid_api_key',
          ...TRACE,
        },
      },
    ],
  },
};
