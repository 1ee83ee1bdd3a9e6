import { errorTable } from '../domain/errors.ts';
import { MAX_MESSAGE_BYTES } from '../socket/socket-session.ts';
import {
  type ClientMessage,
  MULTI_STREAM_MESSAGES,
  STREAM_INPUT_MESSAGES,
} from './asyncapi-client-messages.ts';
import {
  MULTI_STREAM_REPLIES,
  SERVER_FRAME_SCHEMAS,
  type ServerMessage,
  STREAM_INPUT_REPLIES,
} from './asyncapi-server-messages.ts';
import { CONNECT_QUERY_SCHEMA } from './connect-query-schema.ts';
import { ClientFrameSchema } from './frame-schemas.ts';

const DESCRIPTION = `Text goes in as it is written, speech comes back as it is made.
Every message is JSON in a text frame, of at most ${MAX_MESSAGE_BYTES / 1024} KiB from a client; unknown fields are ignored.
A connection is always accepted: what is wrong with the key, the voice or the query is said in an error frame after the first message, before the close. Only an unknown model is refused at the upgrade, with HTTP 400.`;

const CHANNELS = {
  streamInput: {
    path: 'stream-input',
    title: 'Stream input',
    summary: 'Speaks one stream of text, and closes when it has been spoken.',
    clientMessages: STREAM_INPUT_MESSAGES,
    serverMessages: STREAM_INPUT_REPLIES,
  },
  multiStreamInput: {
    path: 'multi-stream-input',
    title: 'Multi-stream input',
    summary:
      'Speaks any number of contexts, one after another or up to five at once, on a connection that lasts a whole call.',
    clientMessages: MULTI_STREAM_MESSAGES,
    serverMessages: MULTI_STREAM_REPLIES,
  },
} as const;
type ChannelName = keyof typeof CHANNELS;

/** The key may stand in any one of these places, or in the first frame. */
const SECURITY_SCHEMES = {
  keyHeader: {
    type: 'httpApiKey',
    in: 'header',
    name: 'xi-api-key',
    description: 'The usual place.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The word Bearer may be left out.' },
  keyQuery: {
    type: 'httpApiKey',
    in: 'query',
    name: 'xi-api-key',
    description: 'For browsers, which cannot set headers on a websocket.',
  },
  authorizationQuery: {
    type: 'httpApiKey',
    in: 'query',
    name: 'authorization',
    description: 'Likewise, with or without "Bearer " before the key.',
  },
} as const;

/** A JSON Pointer to another part of the document (RFC 6901). */
interface Reference {
  readonly $ref: string;
}

/**
 * The AsyncAPI 3.0 document of both websockets, as they are served at `baseUrl`
 * (https://www.asyncapi.com/docs/reference/specification/v3.0.0). Frames and query are described by
 * the very schemas that they are checked with.
 *
 * @param baseUrl of the HTTP server, such as `http://127.0.0.1:8080`.
 * @param version of the server.
 */
export function asyncApiDocument(baseUrl: string, version: string) {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Sidetone streaming text-to-speech',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: { sidetone: server(baseUrl) },
    channels: {
      streamInput: channel('streamInput'),
      multiStreamInput: channel('multiStreamInput'),
    },
    operations: { ...operations('streamInput'), ...operations('multiStreamInput') },
    components: {
      messages: { ...messages('streamInput'), ...messages('multiStreamInput') },
      schemas: { ClientFrame: ClientFrameSchema, ...SERVER_FRAME_SCHEMAS },
      securitySchemes: SECURITY_SCHEMES,
    },
    'x-errors': errorTable().map(([error, { close, http, retry }]) => ({
      error,
      close,
      http,
      retry,
    })),
  };
}

function server(baseUrl: string) {
  const { protocol, host } = new URL(baseUrl);
  return {
    host,
    protocol: protocol === 'https:' ? 'wss' : 'ws',
    description:
      'The API key goes in one of the places below, or in the first frame as xi_api_key, xi-api-key or authorization.',
    security: Object.keys(SECURITY_SCHEMES).map((name) =>
      reference('components', 'securitySchemes', name),
    ),
  };
}

function channel(name: ChannelName) {
  const { path, title, summary, clientMessages, serverMessages } = CHANNELS[name];
  const names = Object.keys({ ...clientMessages, ...serverMessages });
  return {
    address: `/v1/text-to-speech/{voice_id}/${path}`,
    title,
    summary,
    servers: [reference('servers', 'sidetone')],
    parameters: {
      voice_id: { description: 'Who speaks: a voice_id of GET /v1/voices.' },
    },
    messages: Object.fromEntries(
      names.map((message) => [message, reference('components', 'messages', message)]),
    ) as Readonly<Record<string, Reference>>,
    bindings: { ws: { method: 'GET', query: CONNECT_QUERY_SCHEMA, bindingVersion: '0.1.0' } },
  };
}

/** Seen from the server, as AsyncAPI has it: it receives what clients send. */
function operations(name: ChannelName) {
  const { title, clientMessages, serverMessages } = CHANNELS[name];
  return {
    [`${name}Receive`]: operation(name, 'receive', `${title}: from the client`, clientMessages),
    [`${name}Send`]: operation(name, 'send', `${title}: from the server`, serverMessages),
  };
}

function operation(
  name: ChannelName,
  action: 'receive' | 'send',
  title: string,
  described: Readonly<Record<string, ClientMessage | ServerMessage>>,
) {
  return {
    action,
    title,
    channel: reference('channels', name),
    messages: Object.keys(described).map((message) =>
      reference('channels', name, 'messages', message),
    ),
  };
}

function messages(name: ChannelName) {
  const { clientMessages, serverMessages } = CHANNELS[name];
  return Object.fromEntries(
    Object.entries({ ...clientMessages, ...serverMessages }).map(([message, described]) => [
      message,
      {
        name: message,
        title: described.title,
        summary: described.summary,
        payload: payloadSchema(described),
        examples: described.examples.map(({ summary, payload }) => ({ summary, payload })),
      },
    ]),
  );
}

function payloadSchema(message: ClientMessage | ServerMessage) {
  if ('schema' in message) return reference('components', 'schemas', message.schema);
  return { allOf: [reference('components', 'schemas', 'ClientFrame'), message.demands] as const };
}

function reference(...steps: readonly string[]): Reference {
  return { $ref: `#/${steps.join('/')}` };
}
