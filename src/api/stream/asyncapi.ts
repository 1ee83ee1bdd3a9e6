import { errorTable } from '../../domain/errors.ts';
import { KEY_PLACES, type KeyPlace, TOKEN_PLACES } from '../identity/key-places.ts';
import { MAX_MESSAGE_BYTES } from '../websocket/bounded-socket.ts';
import { CHANNELS, type ChannelRow } from './asyncapi-channels.ts';
import type { ClientMessage } from './asyncapi-client-messages.ts';
import type { ServerMessage } from './asyncapi-server-messages.ts';

const DESCRIPTION = `Text goes in as it is written, speech comes back as it is made.
Every message is JSON in a text frame, of at most ${MAX_MESSAGE_BYTES / 1024} KiB from a client; unknown fields are ignored.
On the addresses of text-to-speech and text-to-dialogue, but for jambonz, a connection is always accepted: what is wrong with the key, the voice or the query is said in an error frame after the first message, before the close. Only an unknown model is refused at the upgrade, with HTTP 400.`;

/** The key may stand in any one of these places, or in the first frame. */
const SECURITY_SCHEMES = Object.fromEntries(
  [...KEY_PLACES.socket, ...TOKEN_PLACES.socket].map((place) => [
    place.scheme,
    securityScheme(place),
  ]),
);

/** A JSON Pointer to another part of the document (RFC 6901). */
interface Reference {
  readonly $ref: string;
}

/** A place where the server is reached over HTTP, such as `https://voice.example.com/speech`. */
interface ServerAddress {
  /** Of letters, digits, `-` and `_`. */
  readonly name: string;
  readonly url: string;
  readonly description: string;
}

/**
 * The AsyncAPI 3.0 document of the websockets, as they are served at some addresses
 * (https://www.asyncapi.com/docs/reference/specification/v3.0.0). Frames and query are described by
 * the very schemas that they are checked with.
 *
 * @param addresses one or more; the first is the one to use by default.
 * @param version of the server.
 * @param others websockets of other rooms.
 */
export function asyncApiDocument(
  addresses: readonly ServerAddress[],
  version: string,
  others: Readonly<Record<string, ChannelRow>> = {},
) {
  const rows = { ...CHANNELS, ...others };
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Sidetone streaming text-to-speech',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: Object.fromEntries(addresses.map((address) => [address.name, server(address)])),
    channels: {
      ...ofEach(others, (name, row) => ({ [name]: channel(row) })),
      streamInput: channel(CHANNELS.streamInput),
      multiStreamInput: channel(CHANNELS.multiStreamInput),
      jambonz: channel(CHANNELS.jambonz),
    },
    operations: ofEach(rows, operations),
    components: {
      messages: ofEach(rows, messages),
      schemas: {
        ...ofEach(others, (_name, { schemas }) => schemas),
        ...CHANNELS.streamInput.schemas,
        ...CHANNELS.multiStreamInput.schemas,
        ...CHANNELS.jambonz.schemas,
      },
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

/** What something makes of every channel, in one object. */
function ofEach<T>(
  rows: Readonly<Record<string, ChannelRow>>,
  make: (name: string, row: ChannelRow) => Readonly<Record<string, T>>,
): Record<string, T> {
  return Object.assign({}, ...Object.entries(rows).map(([name, row]) => make(name, row)));
}

function server({ url, description }: ServerAddress) {
  const { protocol, host, pathname } = new URL(url);
  return {
    host,
    protocol: protocol === 'https:' ? 'wss' : 'ws',
    ...(pathname !== '/' && { pathname }),
    description: `${description} The API key goes in one of the places below, or in the first frame as xi_api_key, xi-api-key, authorization or single_use_token.`,
    security: Object.keys(SECURITY_SCHEMES).map((name) =>
      reference('components', 'securitySchemes', name),
    ),
  };
}

function securityScheme({ in: place, name, form, description }: KeyPlace) {
  if (place === 'header' && form === 'authorization') {
    return { type: 'http', scheme: 'bearer', description } as const;
  }
  return { type: 'httpApiKey', in: place, name, description } as const;
}

function channel<Row extends ChannelRow>(row: Row) {
  const { address, title, summary, clientMessages, serverMessages } = row;
  const parameters: ChannelRow['parameters'] = row.parameters;
  const query: Row['query'] = row.query;
  const names = Object.keys({ ...clientMessages, ...serverMessages });
  return {
    address,
    title,
    summary,
    parameters,
    messages: Object.fromEntries(
      names.map((message) => [message, reference('components', 'messages', message)]),
    ) as Readonly<Record<string, Reference>>,
    bindings: { ws: { method: 'GET', query, bindingVersion: '0.1.0' } },
  };
}

/** Seen from the server, as AsyncAPI has it: it receives what clients send. */
function operations(name: string, { title, clientMessages, serverMessages }: ChannelRow) {
  return {
    [`${name}Receive`]: operation(name, 'receive', `${title}: from the client`, clientMessages),
    [`${name}Send`]: operation(name, 'send', `${title}: from the server`, serverMessages),
  };
}

function operation(
  name: string,
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

function messages(_name: string, { clientSchema, clientMessages, serverMessages }: ChannelRow) {
  return Object.fromEntries(
    Object.entries({ ...clientMessages, ...serverMessages }).map(([message, described]) => [
      message,
      {
        name: message,
        title: described.title,
        summary: described.summary,
        ...('contentType' in described && { contentType: described.contentType }),
        payload: payloadSchema(described, clientSchema),
        examples: described.examples.map(({ summary, payload }) => ({ summary, payload })),
      },
    ]),
  );
}

function payloadSchema(message: ClientMessage | ServerMessage, clientSchema: string) {
  if ('schema' in message) return reference('components', 'schemas', message.schema);
  return { allOf: [reference('components', 'schemas', clientSchema), message.demands] as const };
}

function reference(...steps: readonly string[]): Reference {
  return { $ref: `#/${steps.join('/')}` };
}
