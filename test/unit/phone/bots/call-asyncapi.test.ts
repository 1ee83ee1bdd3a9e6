import { Parser } from '@asyncapi/parser';
import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { asyncApiDocument } from '../../../../src/api/stream/asyncapi.ts';
import { ClientFrameSchema } from '../../../../src/api/stream/frame-schemas.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';
import { decodeBotMessage } from '../../../../src/phone/bots/bot-dialect.ts';
import { wireErrorEvent, wireEvent } from '../../../../src/phone/bots/bot-events.ts';
import { BotCommands } from '../../../../src/phone/bots/bot-frame-schemas.ts';
import { withCallChannels } from '../../../../src/phone/bots/call-asyncapi.ts';
import type { CallEvent } from '../../../../src/phone/calls/call-messages.ts';
import { callRecord } from '../../../support/registry-of-calls.ts';

/** The least that an AsyncAPI document is. */
const BASE = {
  asyncapi: '3.0.0',
  info: { title: 'Test', version: '1', description: 'Of the channels of calls by themselves.' },
  servers: { test: { host: '127.0.0.1', protocol: 'ws' } },
  channels: {},
  operations: {},
  components: { messages: {}, schemas: { ClientFrame: ClientFrameSchema } },
};
const document = withCallChannels(BASE);
const published = JSON.parse(JSON.stringify(document)) as typeof document;

function messagesOf(operation: string): string[] {
  const { messages } = published.operations[operation] ?? { messages: [] };
  return messages.map(({ $ref }) => $ref.split('/').at(-1) ?? '');
}

const examplesOf = (message: string) =>
  published.components.messages[message]?.examples.map(({ payload }) => payload) ?? [];

function fits(message: string, frame: unknown): boolean {
  const { payload } = published.components.messages[message] ?? {};
  return Compile({ ...payload, components: published.components } as never).Check(frame);
}

/** The server messages of a channel that a frame fits, undocumented keys not allowed. */
function fitting(operation: string, frame: object): string[] {
  const schemas = published.components.schemas as unknown as Record<string, { properties: object }>;
  return messagesOf(operation).filter((message) => {
    const { payload } = published.components.messages[message] ?? {};
    if (!payload || !('$ref' in payload)) return false;
    const documented = schemas[payload.$ref.split('/').at(-1) ?? '']?.properties ?? {};
    return (
      fits(message, frame) && Object.keys(frame).every((key) => Object.hasOwn(documented, key))
    );
  });
}

describe('the channels of calls', () => {
  const complaints = async (candidate: object) =>
    (await new Parser().validate(JSON.stringify(candidate)))
      .filter(({ code, severity }) => severity === 0 && code !== 'asyncapi-latest-version')
      .map(({ code, path, message }) => `${code} at ${path.join('/')}: ${message}`);

  it('satisfy the official parser', async () => {
    expect(await complaints(published)).toEqual([]);
    expect(
      await complaints({ ...published, operations: { odd: { action: 'shout' } } }),
    ).not.toEqual([]);
  });

  it('are added to what a document has', () => {
    const base = { ...BASE, channels: { other: { address: '/x' } }, 'x-errors': [1] };
    const merged = withCallChannels(base);
    expect(Object.keys(merged.channels)).toEqual(['other', 'call', 'callLobby']);
    expect(merged['x-errors']).toEqual([1]);
    expect(base.components.messages).toEqual({});
  });

  it('fit into the document of the other websockets', async () => {
    const address = { name: 'here', url: 'https://voice.example.com', description: 'Here.' };
    const others = asyncApiDocument([address], '1');
    const merged = withCallChannels(others);
    expect(await complaints(JSON.parse(JSON.stringify(merged)))).toEqual([]);
    for (const part of ['messages', 'schemas'] as const) {
      const counts = [others, document, merged].map(
        ({ components }) => Object.keys(components[part]).length,
      );
      // Names that were there already would have been replaced; ClientFrame is in both.
      const shared = part === 'schemas' ? 1 : 0;
      expect(counts[2]).toBe((counts[0] ?? 0) + (counts[1] ?? 0) - shared);
    }
  });

  it('explain every field', () => {
    for (const [name, schema] of Object.entries(published.components.schemas)) {
      for (const [field, described] of Object.entries(schema.properties)) {
        expect(described, `${name}.${field}`).toHaveProperty('description');
      }
    }
  });

  it('name each command, and give it the schema that it is checked with', () => {
    const schemas: Readonly<Record<string, object>> = document.components.schemas;
    for (const schema of Object.values(BotCommands)) {
      expect(Object.values(schemas).filter((candidate) => candidate === schema)).toHaveLength(1);
    }
  });
});

/** What each documented message makes the call do. */
const COMMANDS: Record<string, string[][]> = {
  callText: [['text'], ['text', 'flush']],
  callFlush: [['flush']],
  callCloseContext: [['context-close']],
  callClear: [['clear']],
  callMark: [['mark']],
  callHangUp: [['hang-up'], ['hang-up']],
  callTransfer: [['transfer']],
  callAudio: [['audio']],
  callListen: [['listen'], ['listen']],
  callKeepAlive: [['keep-alive']],
  lobbyKeepAlive: [['keep-alive']],
};

describe.each(['call', 'callLobby'])('%s', (channel) => {
  it.each(messagesOf(`${channel}Receive`))('reads the examples of %s as what they are', (name) => {
    const examples = examplesOf(name);
    expect(examples.filter((example) => !fits(name, example))).toEqual([]);
    const commands = examples.map((example) => decodeBotMessage(JSON.stringify(example)));
    expect(commands.map((list) => list.map(({ type }) => type))).toEqual(COMMANDS[name]);
  });

  it.each(messagesOf(`${channel}Send`))('shows examples of %s that are that alone', (name) => {
    const examples = examplesOf(name);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(fitting(`${channel}Send`, example)).toEqual([name]);
  });
});

describe('every event that is sent', () => {
  const error = new SpeechError('quota_exceeded', 'Spent.', { param: 'text' });
  const EVENTS: ReadonlyArray<readonly [message: string, event: CallEvent]> = [
    ['callStart', { type: 'call-start', call: callRecord() }],
    ['callerAudio', { type: 'caller-audio', audio: Uint8Array.of(1, 2, 3) }],
    ['callDtmf', { type: 'dtmf', digit: '#' }],
    ['callMarkHeard', { type: 'mark-heard', name: 'a' }],
    ['callSpeechStart', { type: 'caller-speech-start' }],
    ['callSpeechEnd', { type: 'caller-speech-end' }],
    [
      'callInterruption',
      {
        type: 'interruption',
        cause: 'speech',
        cut: [{ contextId: 'a', heard: 'Yes', unheard: ' no', heardMs: 12.6 }],
      },
    ],
    ['callContextEnd', { type: 'context-end', contextId: 'a' }],
    ['callRefusal', { type: 'refusal', contextId: undefined, error }],
    ['callRefusal', { type: 'refusal', contextId: 'a', error }],
    ['callEnd', { type: 'call-end', reason: 'hangup', durationMs: 12.6 }],
  ];

  it.each(EVENTS)('is documented as %s', (message, event) => {
    const frame = JSON.parse(JSON.stringify(wireEvent(event))) as object;
    expect(fitting('callSend', frame)).toEqual([message]);
  });

  it('is documented when it is an error', () => {
    expect(fitting('callSend', wireErrorEvent(error))).toEqual(['callError']);
    expect(fitting('callLobbySend', wireErrorEvent(error))).toEqual(['lobbyError']);
  });

  it('says of a call what its carrier told', () => {
    expect(wireEvent({ type: 'call-start', call: callRecord() })).toEqual({
      type: 'call_start',
      call_id: 'call-1',
      line_id: 'default',
      carrier: 'twilio',
      carrier_call_id: 'CA1',
      from: '+15557654321',
      to: null,
      parameters: { campaign: 'spring' },
      audio_format: 'ulaw_8000',
      started_at_unix_ms: 1_795_000_000_000,
    });
  });
});
