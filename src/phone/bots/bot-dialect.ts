import type Type from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { multiStreamDialect } from '../../api/stream/multi-stream-dialect.ts';
import { parseStreamFormat } from '../../domain/audio.ts';
import { parseBoundedJson } from '../../domain/bounded-json.ts';
import { SpeechError } from '../../domain/errors.ts';
import { assertSchema } from '../../domain/schema-errors.ts';
import type { SpeechCommand } from '../../synthesis/speech/messages.ts';
import type { CallCommand } from '../calls/call-messages.ts';
import { type BotCommandName, BotCommands } from './bot-frame-schemas.ts';

type Commands = { [K in BotCommandName]: Type.Static<(typeof BotCommands)[K]> };
type BotCommand = Commands[BotCommandName];

const VALIDATORS = Object.fromEntries(
  Object.entries(BotCommands).map(([name, schema]) => [name, Compile(schema)]),
) as unknown as Readonly<Record<BotCommandName, Validator>>;
const NAMES = Object.keys(BotCommands) as BotCommandName[];

/**
 * Reads one text message of a bot. A message with a `type` is a command; one without, or of the
 * type "text", is a text frame of the streaming websocket, read by the code that reads it there.
 *
 * @throws SpeechError `invalid_input_message` that names the field at fault.
 */
export function decodeBotMessage(message: string): readonly CallCommand[] {
  const type = typeOf(message);
  if (type === undefined || type === null || type === 'text') {
    return multiStreamDialect.decode(message).flatMap(callCommand);
  }
  const name = NAMES.find((known) => known === type);
  if (!name) {
    throw new SpeechError(
      'invalid_input_message',
      `Invalid message: type must be one of ${NAMES.join(', ')}, or left out of a text frame.`,
      { param: 'type' },
    );
  }
  return [neutralCommand(checked(name, JSON.parse(message)))];
}

/** The lobby has nothing to be told; only what keeps a connection alive may be said in it. */
export function checkLobbyMessage(message: string): void {
  if (decodeBotMessage(message).every(({ type }) => type === 'keep-alive')) return;
  throw new SpeechError(
    'invalid_input_message',
    'This connection only tells which calls wait. Open /v1/calls/{call_id} and send it there.',
  );
}

/** The `type` of an object. The reader of text frames refuses what is not an object. */
function typeOf(message: string): unknown {
  try {
    const value = parseBoundedJson(message);
    return typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  } catch {
    return undefined;
  }
}

function checked(name: BotCommandName, value: unknown): BotCommand {
  assertSchema(VALIDATORS[name], value, { subject: `Invalid ${name} message: ` });
  return value as BotCommand;
}

function neutralCommand(command: BotCommand): CallCommand {
  switch (command.type) {
    case 'clear':
      return { type: 'clear' };
    case 'keep_alive':
      return { type: 'keep-alive' };
    case 'mark':
      return { type: 'mark', name: command.name };
    case 'transfer':
      return { type: 'transfer', to: command.to };
    case 'hang_up':
      return { type: 'hang-up', when: command.when === 'now' ? 'now' : 'after-speech' };
    case 'audio':
      return { type: 'audio', audio: Buffer.from(command.audio, 'base64') };
    case 'listen': {
      const { format } = command;
      return { type: 'listen', format: format === null ? undefined : parseStreamFormat(format) };
    }
  }
}

/** What a text frame means on a call. */
function callCommand(command: SpeechCommand): CallCommand[] {
  switch (command.type) {
    case 'configure':
    case 'text':
    case 'flush':
    case 'context-close':
      return [command];
    case 'clear':
      return [{ type: 'context-close', contextId: command.contextId, isImmediate: true }];
    case 'keep-alive':
      return [{ type: 'keep-alive' }];
    // The connection was admitted when it was opened.
    case 'authenticate':
      return [];
    // "Every context speaks what it has, then it is over": of a call, that is to hang up.
    case 'session-end':
      return [{ type: 'hang-up', when: 'after-speech' }];
  }
}
