import Type from 'typebox';
import { digit, optional } from '../message-fields.ts';
import { MessageReader } from '../message-reader.ts';

/** What stands in for ids when Genesys Cloud tries a connection out. */
export const NULL_UUID = '00000000-0000-0000-0000-000000000000';

const sequenceNumber = Type.Integer({ minimum: 0 });
const duration = Type.String({ pattern: '^PT(\\d*\\.)?\\d+S$' });
const uuid = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' });
const variables = optional(Type.Record(Type.String(), Type.Unknown()));

const MediaSchema = Type.Object({
  type: Type.String(),
  format: Type.String(),
  channels: Type.Array(Type.String(), { minItems: 1, maxItems: 2 }),
  rate: Type.Number(),
});
export type GenesysMedia = Type.Static<typeof MediaSchema>;

const clientMessage = <T extends Type.TProperties>(parameters: T) =>
  Type.Object({
    version: Type.Literal('2'),
    id: uuid,
    seq: sequenceNumber,
    serverseq: sequenceNumber,
    position: duration,
    parameters: Type.Object(parameters),
  });

/** What an AudioHook client says in text (developer.genesys.cloud, "AudioHook protocol reference"). */
export const genesysMessages = new MessageReader('Genesys', 'type', {
  open: clientMessage({
    conversationId: uuid,
    participant: optional(
      Type.Object({ ani: optional(Type.String()), dnis: optional(Type.String()) }),
    ),
    media: Type.Array(MediaSchema, { maxItems: 32 }),
    language: optional(Type.String()),
    customConfig: variables,
    inputVariables: variables,
  }),
  close: clientMessage({}),
  ping: clientMessage({}),
  paused: clientMessage({}),
  resumed: clientMessage({}),
  discarded: clientMessage({}),
  update: clientMessage({}),
  dtmf: clientMessage({ digit }),
  playback_started: clientMessage({}),
  playback_completed: clientMessage({}),
  error: clientMessage({ code: Type.Integer(), message: optional(Type.String()) }),
});
export type GenesysMessage = NonNullable<ReturnType<typeof genesysMessages.read>>;
export type GenesysOpen = Extract<GenesysMessage, { kind: 'open' }>['body'];
