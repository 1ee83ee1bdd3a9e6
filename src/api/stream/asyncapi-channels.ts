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
import { JAMBONZ_QUERY_SCHEMA } from './jambonz-query.ts';

/** One websocket, as the document describes it. */
export interface ChannelRow {
  /** Under the voice. */
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  /** A JSON schema. */
  readonly query: object;
  /** Name of the schema that every client message satisfies. */
  readonly clientSchema: string;
  readonly clientMessages: Readonly<Record<string, ClientMessage>>;
  readonly serverMessages: Readonly<Record<string, ServerMessage>>;
}

export const CHANNELS = {
  streamInput: {
    path: 'stream-input',
    title: 'Stream input',
    summary: 'Speaks one stream of text, and closes when it has been spoken.',
    query: CONNECT_QUERY_SCHEMA,
    clientSchema: 'ClientFrame',
    clientMessages: STREAM_INPUT_MESSAGES,
    serverMessages: STREAM_INPUT_REPLIES,
  },
  multiStreamInput: {
    path: 'multi-stream-input',
    title: 'Multi-stream input',
    summary:
      'Speaks any number of contexts, one after another or up to five at once, on a connection that lasts a whole call.',
    query: CONNECT_QUERY_SCHEMA,
    clientSchema: 'ClientFrame',
    clientMessages: MULTI_STREAM_MESSAGES,
    serverMessages: MULTI_STREAM_REPLIES,
  },
  jambonz: {
    path: 'jambonz',
    title: 'jambonz',
    summary:
      "Speaks on a jambonz call: give this address to jambonz as the streaming URL of a custom speech vendor, and an API key as the vendor's. The handshake is refused with 401 for a wrong key and 404 for an unknown voice.",
    query: JAMBONZ_QUERY_SCHEMA,
    clientSchema: 'JambonzMessage',
    clientMessages: JAMBONZ_MESSAGES,
    serverMessages: JAMBONZ_REPLIES,
  },
} as const satisfies Readonly<Record<string, ChannelRow>>;
