import {
  type ClientMessage,
  MULTI_STREAM_MESSAGES,
  STREAM_INPUT_MESSAGES,
} from './asyncapi-client-messages.ts';
import { JAMBONZ_MESSAGES, JAMBONZ_REPLIES } from './asyncapi-jambonz-messages.ts';
import {
  MULTI_STREAM_REPLIES,
  type ServerMessage,
  STREAM_INPUT_REPLIES,
} from './asyncapi-server-messages.ts';
import { CONNECT_QUERY_SCHEMA } from './connect-query-schema.ts';
import { ClientFrameSchema, MultiStreamFrames, StreamInputFrames } from './frame-schemas.ts';
import { JAMBONZ_AUDIO_SCHEMA, JambonzFrames, JambonzMessageSchema } from './jambonz-frames.ts';
import { JAMBONZ_QUERY_SCHEMA } from './jambonz-query.ts';

/** One websocket, as the document describes it. */
export interface ChannelRow {
  readonly address: string;
  /** Of the address. */
  readonly parameters: Readonly<Record<string, { readonly description: string }>>;
  readonly title: string;
  readonly summary: string;
  /** A JSON schema. */
  readonly query: object;
  /** Name of the schema that every client message satisfies. */
  readonly clientSchema: string;
  readonly clientMessages: Readonly<Record<string, ClientMessage>>;
  readonly serverMessages: Readonly<Record<string, ServerMessage>>;
  /** JSON schemas by name: of what the client sends, and of each message of the server. */
  readonly schemas: Readonly<Record<string, object>>;
}

const ADDRESS = '/v1/text-to-speech/{voice_id}';
const parameters = { voice_id: { description: 'Who speaks: a voice_id of GET /v1/voices.' } };

export const CHANNELS = {
  streamInput: {
    address: `${ADDRESS}/stream-input`,
    parameters,
    title: 'Stream input',
    summary: 'Speaks one stream of text, and closes when it has been spoken.',
    query: CONNECT_QUERY_SCHEMA,
    clientSchema: 'ClientFrame',
    clientMessages: STREAM_INPUT_MESSAGES,
    serverMessages: STREAM_INPUT_REPLIES,
    schemas: { ClientFrame: ClientFrameSchema, ...StreamInputFrames },
  },
  multiStreamInput: {
    address: `${ADDRESS}/multi-stream-input`,
    parameters,
    title: 'Multi-stream input',
    summary:
      'Speaks any number of contexts, one after another or up to five at once, on a connection that lasts a whole call.',
    query: CONNECT_QUERY_SCHEMA,
    clientSchema: 'ClientFrame',
    clientMessages: MULTI_STREAM_MESSAGES,
    serverMessages: MULTI_STREAM_REPLIES,
    schemas: { ClientFrame: ClientFrameSchema, ...MultiStreamFrames },
  },
  jambonz: {
    address: `${ADDRESS}/jambonz`,
    parameters,
    title: 'jambonz',
    summary:
      "Speaks on a jambonz call: give this address to jambonz as the streaming URL of a custom speech vendor, and an API key as the vendor's. The handshake is refused with 401 for a wrong key and 404 for an unknown voice.",
    query: JAMBONZ_QUERY_SCHEMA,
    clientSchema: 'JambonzMessage',
    clientMessages: JAMBONZ_MESSAGES,
    serverMessages: JAMBONZ_REPLIES,
    schemas: {
      JambonzMessage: JambonzMessageSchema,
      ...JambonzFrames,
      JambonzAudio: JAMBONZ_AUDIO_SCHEMA,
    },
  },
} as const satisfies Readonly<Record<string, ChannelRow>>;
