import { type BotCommandName, BotCommands, BotEvents, LobbyEvents } from './bot-frame-schemas.ts';
import {
  CALL_COMMANDS,
  CALL_EVENTS,
  CALL_TEXT_MESSAGES,
  commandSchemaName,
  type DescribedMessage,
  LOBBY_EVENTS,
} from './call-messages-described.ts';
import { AUDIO_QUERY_SCHEMA } from './wants-binary-audio.ts';

type Described = Readonly<Record<string, DescribedMessage>>;

interface ChannelDescription {
  readonly address: string;
  readonly title: string;
  readonly summary: string;
  readonly parameters: Readonly<Record<string, { readonly description: string }>>;
  readonly query: object;
  readonly received: Described;
  readonly sent: Described;
}

const CHANNELS: Readonly<Record<string, ChannelDescription>> = {
  call: {
    address: '/v1/calls/{call_id}',
    title: 'A phone call',
    summary:
      "Takes a call: the bot's end of it. Text goes in, the caller hears speech. The same protocol is spoken, with the roles of client and server exchanged, when Sidetone connects to a bot. Binary messages are raw audio, both ways.",
    parameters: { call_id: { description: 'The call: a call_id of /v1/calls.' } },
    query: AUDIO_QUERY_SCHEMA,
    received: { ...CALL_TEXT_MESSAGES, ...CALL_COMMANDS },
    sent: CALL_EVENTS,
  },
  callLobby: {
    address: '/v1/calls',
    title: 'Waiting calls',
    summary: 'Tells which calls of the account wait for a bot. Nothing needs to be sent.',
    parameters: {},
    query: { type: 'object', properties: {} },
    received: { lobbyKeepAlive: CALL_COMMANDS['callKeepAlive'] as DescribedMessage },
    sent: { ...LOBBY_EVENTS, lobbyError: CALL_EVENTS['callError'] as DescribedMessage },
  },
};

/** The parts of an AsyncAPI document that channels are added to. */
interface Extensible {
  readonly channels: object;
  readonly operations: object;
  readonly components: { readonly messages: object; readonly schemas: object };
}

/**
 * Adds the websockets of bots to an AsyncAPI 3.0 document that has the schema `ClientFrame` and
 * servers of its own. Their frames are described by the very schemas that they are checked with.
 *
 * @returns a new document.
 */
export function withCallChannels<T extends Extensible>(document: T) {
  const { channels, operations, components } = document;
  const names = Object.keys(CHANNELS);
  const described = Object.values(CHANNELS).map(({ received, sent }) => ({ ...received, ...sent }));
  return {
    ...document,
    channels: {
      ...channels,
      ...Object.fromEntries(names.map((name) => [name, channel(name)])),
    } as T['channels'] & Readonly<Record<string, ReturnType<typeof channel>>>,
    operations: {
      ...operations,
      ...Object.assign({}, ...names.map(operationsOf)),
    } as T['operations'] & Readonly<Record<string, ReturnType<typeof operation>>>,
    components: {
      ...components,
      messages: {
        ...components.messages,
        ...Object.fromEntries(
          described.flatMap((messages) =>
            Object.entries(messages).map(([name, message]) => [name, componentOf(name, message)]),
          ),
        ),
      } as T['components']['messages'] & Readonly<Record<string, ReturnType<typeof componentOf>>>,
      schemas: { ...components.schemas, ...SCHEMAS } as T['components']['schemas'] & typeof SCHEMAS,
    } as T['components'] & AddedComponents,
  };
}

interface AddedComponents {
  readonly messages: Readonly<Record<string, ReturnType<typeof componentOf>>>;
  readonly schemas: typeof SCHEMAS;
}

const SCHEMAS = {
  ...(Object.fromEntries(
    Object.entries(BotCommands).map(([name, schema]) => [
      commandSchemaName(name as BotCommandName),
      schema,
    ]),
  ) as Readonly<Record<`${string}Command`, (typeof BotCommands)[BotCommandName]>>),
  ...BotEvents,
  ...LobbyEvents,
};

function descriptionOf(name: string): ChannelDescription {
  return CHANNELS[name] as ChannelDescription;
}

function channel(name: string) {
  const { address, title, summary, parameters, query, received, sent } = descriptionOf(name);
  return {
    address,
    title,
    summary,
    parameters,
    messages: Object.fromEntries(
      Object.keys({ ...received, ...sent }).map((message) => [
        message,
        reference('components', 'messages', message),
      ]),
    ),
    bindings: { ws: { method: 'GET', query, bindingVersion: '0.1.0' } },
  };
}

/** Seen from the server, as AsyncAPI has it: it receives what bots send. */
function operationsOf(name: string) {
  const { title, received, sent } = descriptionOf(name);
  return {
    [`${name}Receive`]: operation(name, 'receive', `${title}: from the bot`, received),
    [`${name}Send`]: operation(name, 'send', `${title}: from the server`, sent),
  };
}

function operation(name: string, action: 'receive' | 'send', title: string, messages: Described) {
  return {
    action,
    title,
    channel: reference('channels', name),
    messages: Object.keys(messages).map((message) =>
      reference('channels', name, 'messages', message),
    ),
  };
}

function componentOf(
  name: string,
  { title, summary, schema, demands, examples }: DescribedMessage,
) {
  const fields = reference('components', 'schemas', schema);
  return {
    name,
    title,
    summary,
    payload: demands ? { allOf: [fields, demands] as const } : fields,
    examples,
  };
}

/** A JSON Pointer to another part of the document (RFC 6901). */
function reference(...steps: readonly string[]): { readonly $ref: string } {
  return { $ref: `#/${steps.join('/')}` };
}
