import { Parser } from '@asyncapi/parser';
import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARTESIA_CHANNELS } from '../../../../src/api/cartesia/asyncapi-cartesia.ts';
import { CartesiaDialect } from '../../../../src/api/cartesia/cartesia-dialect.ts';
import { DEEPGRAM_CHANNELS } from '../../../../src/api/deepgram/asyncapi-deepgram.ts';
import { DeepgramDialect } from '../../../../src/api/deepgram/deepgram-dialect.ts';
import { DIALOGUE_CHANNELS } from '../../../../src/api/dialogue/asyncapi-dialogue.ts';
import { DialogueDialect } from '../../../../src/api/dialogue/dialogue-dialect.ts';
import { asyncApiDocument } from '../../../../src/api/stream/asyncapi.ts';
import { parseConnectQuery } from '../../../../src/api/stream/connect-query.ts';
import { ClientFrameSchema } from '../../../../src/api/stream/frame-schemas.ts';
import { parseClientFrame } from '../../../../src/api/stream/frames.ts';
import { jambonzDialect } from '../../../../src/api/stream/jambonz-dialect.ts';
import { multiStreamDialect } from '../../../../src/api/stream/multi-stream-dialect.ts';
import { streamInputDialect } from '../../../../src/api/stream/stream-input-dialect.ts';
import { errorTable, SpeechError } from '../../../../src/domain/errors.ts';
import { resolveModel } from '../../../../src/domain/model.ts';
import { type ServerFrame, StreamClient } from '../../../support/stream-client.ts';
import { KEY, type StreamServer, startStreamServer } from '../../../support/stream-server.ts';
import { VOICE_ID } from '../../../support/tone-speech.ts';

const document = asyncApiDocument(
  [
    { name: 'sidetone', url: 'http://127.0.0.1:8080', description: 'Here.' },
    { name: 'region-eu', url: 'https://eu.speech.example/voice', description: 'In Europe.' },
  ],
  '1.2.3',
  { ...DIALOGUE_CHANNELS, ...DEEPGRAM_CHANNELS, ...CARTESIA_CHANNELS },
);
/** As a client sees it: what JSON cannot carry is gone. */
const published = JSON.parse(JSON.stringify(document)) as typeof document;

/** Names of the messages that one side of a channel sends. */
function messagesOf(operation: string): string[] {
  const { messages } = published.operations[operation] ?? { messages: [] };
  return messages.map(({ $ref }) => $ref.split('/').at(-1) ?? '');
}

const examplesOf = (message: string) =>
  published.components.messages[message]?.examples.map(({ payload }) => payload) ?? [];

/** Whether a frame is what the published document says of a message. */
function fits(message: string, frame: unknown): boolean {
  const { payload } = published.components.messages[message] ?? {};
  return Compile({ ...payload, components: published.components } as never).Check(frame);
}

/** The server messages of a channel that a frame fits, undocumented keys not allowed. */
function fitting(operation: string, frame: object): string[] {
  return messagesOf(operation).filter((message) => {
    const { payload } = published.components.messages[message] ?? {};
    if (!payload || !('$ref' in payload)) return false;
    const schemas = published.components.schemas as unknown as Record<string, Described>;
    const documented = schemas[payload.$ref.split('/').at(-1) ?? '']?.properties ?? {};
    return (
      fits(message, frame) && Object.keys(frame).every((key) => Object.hasOwn(documented, key))
    );
  });
}

interface Described {
  readonly properties: Readonly<Record<string, object>>;
}

describe('the AsyncAPI document', () => {
  const complaints = async (candidate: object) => {
    const diagnostics = await new Parser().validate(JSON.stringify(candidate));
    return diagnostics
      .filter(({ code }) => code !== 'asyncapi-latest-version')
      .map(({ code, path, message }) => `${code} at ${path.join('/')}: ${message}`);
  };

  it('satisfies the official parser', async () => {
    expect(await complaints(published)).toEqual([]);
    const broken = { ...published, operations: { odd: { action: 'shout' } } };
    expect(await complaints(broken)).not.toEqual([]);
  });

  it('names every server as it is reached', () => {
    const { sidetone, 'region-eu': region } = published.servers;
    expect(sidetone).toMatchObject({ host: '127.0.0.1:8080', protocol: 'ws' });
    expect(sidetone).not.toHaveProperty('pathname');
    expect(region).toMatchObject({
      host: 'eu.speech.example',
      protocol: 'wss',
      pathname: '/voice',
    });
    expect(region?.description).toMatch(/^In Europe\. The API key/);
  });

  it('lists every error with its codes', () => {
    expect(published['x-errors']).toEqual(
      errorTable().map(([error, { close, http, retry }]) => ({ error, close, http, retry })),
    );
  });

  it('explains every field and parameter', () => {
    const { schemas } = published.components;
    const queries = Object.values(published.channels).map(({ bindings }) => bindings.ws.query);
    for (const { properties } of [...queries, ...Object.values(schemas)] as Described[]) {
      for (const [name, field] of Object.entries(properties)) {
        const isAlwaysNull = 'type' in field && field.type === 'null';
        if (!isAlwaysNull) expect(field, name).toHaveProperty('description');
      }
    }
  });
});

describe('the described client frame', () => {
  it('is the one that frames are validated with', () => {
    expect(document.components.schemas.ClientFrame).toBe(ClientFrameSchema);
    expect(published.components.schemas.ClientFrame).toEqual(ClientFrameSchema);
  });

  it.each(Object.keys(published.components.schemas.ClientFrame.properties))(
    'holds %s to its type',
    (name) => {
      expect(() => parseClientFrame(JSON.stringify({ [name]: [[]] }))).toThrowError(
        expect.objectContaining({
          code: 'invalid_input_message',
          param: expect.stringMatching(new RegExp(`^${name}(\\.|$)`)),
        }),
      );
    },
  );
});

function cartesiaDialect(): CartesiaDialect {
  const unheard = () => undefined;
  return new CartesiaDialect('request', { onAsked: unheard, onHeld: unheard, onEnded: unheard });
}

/** What each documented message makes the session do. */
const COMMANDS: Record<string, string[][]> = {
  initialise: [
    ['authenticate', 'configure', 'text'],
    ['configure', 'text'],
  ],
  text: [['text'], ['text', 'flush'], ['text']],
  flush: [['flush']],
  keepAlive: [['text']],
  end: [
    ['context-close', 'session-end'],
    ['context-close', 'session-end'],
  ],
  initialiseConnection: [['authenticate', 'configure', 'keep-alive']],
  startContext: [['configure', 'text'], ['text']],
  contextText: [['text'], ['text', 'flush']],
  flushContext: [['flush'], ['flush']],
  closeContext: [['context-close']],
  keepConnectionAlive: [['keep-alive'], ['keep-alive']],
  closeSocket: [['keep-alive', 'session-end']],
  jambonzStream: [['text']],
  jambonzFlush: [['flush']],
  jambonzStop: [['context-close']],
  dialogueVoices: [
    ['configure', 'keep-alive'],
    ['authenticate', 'configure', 'keep-alive'],
  ],
  dialogueInputs: [['text'], ['text', 'text']],
  dialogueFlush: [['flush']],
  dialogueKeepAlive: [['keep-alive']],
  dialogueEnd: [['context-close', 'session-end']],
  dialogueContextVoices: [
    ['configure', 'keep-alive'],
    ['authenticate', 'configure', 'keep-alive'],
  ],
  dialogueContextInputs: [['text'], ['text', 'text']],
  dialogueContextFlush: [['flush']],
  dialogueContextKeepAlive: [['keep-alive']],
  dialogueContextClose: [['context-close']],
  dialogueContextEnd: [['session-end']],
  deepgramSpeak: [['text']],
  deepgramFlush: [['flush']],
  deepgramClear: [['clear']],
  deepgramKeepAlive: [['keep-alive']],
  deepgramClose: [['session-end']],
  cartesiaText: [['text'], ['text', 'flush'], ['text', 'context-close']],
  cartesiaFlush: [['flush']],
  cartesiaEnd: [['context-close']],
  cartesiaCancel: [['context-close']],
};
/** They are binary: no JSON can show one. */
const WITHOUT_EXAMPLES = ['jambonzAudio', 'deepgramAudio'];

describe.each([
  ['stream-input', 'streamInput', streamInputDialect],
  ['multi-stream-input', 'multiStreamInput', multiStreamDialect],
  ['jambonz', 'jambonz', jambonzDialect],
  [
    'the dialogue of a connection',
    'dialogueStreamInput',
    new DialogueDialect({ hasContexts: false, sendsAlignment: true }),
  ],
  [
    'dialogues on a connection',
    'dialogueMultiStreamInput',
    new DialogueDialect({ hasContexts: true, sendsAlignment: true }),
  ],
  ['Deepgram', 'deepgram', new DeepgramDialect('request')],
  ['Cartesia', 'cartesia', cartesiaDialect()],
])('%s', (_name, channel, dialect) => {
  it.each(messagesOf(`${channel}Receive`))(
    'reads the examples of %s as what they are for',
    (name) => {
      const examples = examplesOf(name);
      expect(examples.length).toBeGreaterThan(0);
      expect(examples.filter((example) => !fits(name, example))).toEqual([]);
      const commands = examples.map((example) => dialect.decode(JSON.stringify(example)));
      expect(commands.map((list) => list.map(({ type }) => type))).toEqual(COMMANDS[name]);
    },
  );

  it.each(messagesOf(`${channel}Send`).filter((name) => !WITHOUT_EXAMPLES.includes(name)))(
    'shows examples of %s that are that and nothing else',
    (name) => {
      const examples = examplesOf(name);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) expect(fitting(`${channel}Send`, example)).toEqual([name]);
    },
  );
});

describe('the described query', () => {
  const { properties } = published.channels.streamInput.bindings.ws.query;
  /** Read elsewhere: the model before the upgrade, the key by whoever admits the caller. */
  const ELSEWHERE = ['model_id', 'authorization', 'xi-api-key', 'xi_api_key', 'single_use_token'];
  const parameters = Object.entries(properties).filter(([name]) => !ELSEWHERE.includes(name));
  const read = (name: string, value: unknown) => parseConnectQuery({ [name]: String(value) });
  const refused = (name: string, value: unknown) =>
    expect(() => read(name, value), `${name}=${value}`).toThrowError(
      expect.objectContaining({ param: name }),
    );

  it('is the same on both sockets of the original', () => {
    const { streamInput, multiStreamInput } = published.channels;
    expect(streamInput.bindings).toEqual(multiStreamInput.bindings);
  });

  it.each(parameters.filter(([, schema]) => 'default' in schema))(
    'says what %s is when it is left out',
    (name, schema) => {
      expect(read(name, 'default' in schema && schema.default)).toEqual(parseConnectQuery({}));
    },
  );

  it.each(parameters.filter(([, schema]) => 'minimum' in schema))(
    'says how small and how large %s may be',
    (name, schema) => {
      if (!('minimum' in schema)) return;
      expect(read(name, schema.minimum)).toBeDefined();
      refused(name, schema.minimum - 1);
      if (!('maximum' in schema)) return;
      expect(read(name, schema.maximum)).toBeDefined();
      refused(name, schema.maximum + 1);
    },
  );

  it.each(parameters.filter(([, schema]) => 'enum' in schema))(
    'lists what %s may be',
    (name, schema) => {
      for (const value of 'enum' in schema ? schema.enum : []) {
        expect(read(name, value)).toBeDefined();
      }
      refused(name, 'something-else');
    },
  );

  it('tells the parameters that do something from those that do nothing', () => {
    for (const [name, schema] of parameters) {
      const isInert = schema.description.includes('no effect');
      const isRead = (() => {
        try {
          read(name, 'something-else');
          return false;
        } catch (thrown) {
          return thrown instanceof SpeechError;
        }
      })();
      expect(isRead, name).toBe(!isInert);
    }
  });

  it('lists the models that are accepted', () => {
    const { enum: models, default: usual } = properties.model_id;
    expect(models.map((id) => resolveModel(id).modelId)).toContain(usual);
    expect(resolveModel(undefined).modelId).toBe(usual);
  });
});

describe('the described security', () => {
  it('names every place of a key in the query, and each is read', () => {
    const { securitySchemes } = published.components;
    const inQuery = Object.values(securitySchemes).flatMap((scheme) =>
      'in' in scheme && scheme.in === 'query' ? [scheme.name] : [],
    );
    const { properties } = published.channels.streamInput.bindings.ws.query;
    expect(inQuery).toEqual(['xi-api-key', 'xi_api_key', 'authorization', 'single_use_token']);
    for (const name of inQuery) expect(properties).toHaveProperty(name);
    for (const { security } of Object.values(published.servers)) {
      expect(security).toHaveLength(Object.keys(securitySchemes).length);
    }
  });
});

describe('a real conversation', () => {
  let server: StreamServer;
  beforeAll(async () => {
    server = await startStreamServer({ failOn: '%' });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  async function converse(path: string, ...frames: readonly object[]): Promise<ServerFrame[]> {
    const address = path.startsWith('/') ? path : `/v1/text-to-speech/${VOICE_ID}/${path}`;
    const client = new StreamClient(server.url + address, { 'xi-api-key': KEY });
    await client.opened();
    client.send(...frames);
    await client.closed;
    return client.frames;
  }

  const end = { text: '' };
  const voices = { voices: [VOICE_ID] };
  const inputs = { inputs: [{ text: 'One. Two.', voice_id: VOICE_ID }] };
  const inTurn = (text: string) => [
    { text, context_id: 'turn-1', flush: true },
    { context_id: 'turn-1', close_context: true },
    { close_socket: true },
  ];

  it('is described on the wire of Cartesia too, where an error ends no connection', async () => {
    const client = new StreamClient(`${server.url}/tts/websocket`, { 'x-api-key': KEY });
    await client.opened();
    const turn = (context_id: string, transcript: string) => ({
      ...{ context_id, transcript, voice: VOICE_ID, add_timestamps: true, continue: true },
      output_format: { container: 'raw', encoding: 'pcm_mulaw', sample_rate: 8000 },
    });
    client.send({ ...turn('a', 'One. Two.'), flush: true }, { ...turn('a', ''), continue: false });
    await client.until(({ type }) => type === 'done');
    client.send({ ...turn('b', 'It fails at %.'), continue: false });
    await client.until(({ type }) => type === 'error');
    client.send({ transcript: 5 });
    await client.closed;
    const kinds = client.frames.map((frame) => fitting('cartesiaSend', frame));
    for (const kind of kinds) expect(kind).toHaveLength(1);
    expect(new Set(kinds.flat())).toEqual(new Set(messagesOf('cartesiaSend')));
  });

  it.each([
    ['streamInputSend', 'stream-input', [{ text: 'One. Two.' }, end], ['audio', 'final']],
    [
      'streamInputSend',
      'stream-input?sync_alignment=true',
      [{ text: 'One. Two.' }, end],
      ['audio', 'final'],
    ],
    ['streamInputSend', 'stream-input', [{ text: 'One. ' }, { text: 5 }], ['error']],
    ['streamInputSend', 'stream-input?seed=x', [{ text: 'One.' }], ['error']],
    [
      'multiStreamInputSend',
      'multi-stream-input',
      inTurn('One. Two.'),
      ['contextAudio', 'contextFinal'],
    ],
    ['multiStreamInputSend', 'multi-stream-input', inTurn('It fails at %.'), ['contextError']],
    ['multiStreamInputSend', 'multi-stream-input', [{ close_socket: 5 }], ['contextError']],
    [
      'jambonzSend',
      'jambonz',
      [{ type: 'stream', text: 'One.' }, { type: 5 }],
      ['jambonzConnect', 'jambonzError'],
    ],
    [
      'dialogueStreamInputSend',
      '/v1/text-to-dialogue/stream-input',
      [voices, { ...inputs, flush: true }, { close_socket: true }],
      ['dialogueAudio', 'dialogueTurnFinal', 'dialogueFinal'],
    ],
    [
      'dialogueMultiStreamInputSend',
      '/v1/text-to-dialogue/multi-stream-input',
      [voices, { ...inputs, context_id: 'a', flush: true }, { close_socket: true }],
      ['dialogueContextAudio', 'dialogueContextTurnFinal', 'dialogueContextFinal'],
    ],
    [
      'dialogueMultiStreamInputSend',
      '/v1/text-to-dialogue/multi-stream-input',
      [{ ...inputs, context_id: 'a' }],
      ['dialogueContextError'],
    ],
    [
      'deepgramSend',
      '/v1/speak',
      [
        ...[{ type: 'Speak', text: 'One.' }, { type: 'Flush' }, { type: 'Clear' }],
        { type: 'Speak', text: 5 },
      ],
      ['deepgramMetadata', 'deepgramCleared', 'deepgramError'],
    ],
  ])('%s describes every frame of %s %j', async (operation, path, frames, expected) => {
    const kinds = (await converse(path, ...frames)).map((frame) => fitting(operation, frame));
    for (const kind of kinds) expect(kind).toHaveLength(1);
    expect([...new Set(kinds.flat())]).toEqual(expect.arrayContaining(expected));
  });
});
