import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { parseBoundedJson } from '../../domain/bounded-json.ts';
import { assertSchema } from '../../domain/schema-errors.ts';
import type { ContextSettings, SpeechCommand } from '../../synthesis/speech/messages.ts';
import { messageCredentials } from '../identity/key-places.ts';
import { readLocators } from '../wire/dictionary-locators.ts';
import { assertNotForeign } from '../wire/foreign-frames.ts';
import type { JsonSchema } from '../wire/json-schema.ts';
import { parseFrame } from '../wire/parse-frame.ts';
import { readSpelled } from '../wire/spelled-values.ts';
import { readVoiceSettings } from '../wire/voice-settings.ts';
import { type ClientFrame, ClientFrameSchema } from './frame-schemas.ts';

export type { ClientFrame } from './frame-schemas.ts';

const validator = Compile(ClientFrameSchema);
const idValidator = Compile(Type.Pick(ClientFrameSchema, ['context_id', 'contextId']));

/** @throws SpeechError `invalid_input_message` that names the field at fault. */
export function parseClientFrame(message: string): ClientFrame {
  const value = readSpelled(parseJson(message), ClientFrameSchema as JsonSchema);
  assertNotForeign(value, 'streamInput');
  assertSchema(validator, value, { subject: 'Invalid message: ' });
  return value as ClientFrame;
}

/**
 * @param advice what to send.
 * @throws SpeechError `invalid_input_message`.
 */
export function parseJson(
  message: string,
  advice = 'Send an object such as {"text":"Hello "}.',
): unknown {
  return parseFrame(message, advice);
}

/** The context that a message names, whatever else is wrong with it. */
export function namedContext(message: string): string | undefined {
  let value: unknown;
  try {
    value = parseBoundedJson(message);
  } catch {
    return undefined;
  }
  if (!idValidator.Check(value)) return undefined;
  return value.context_id ?? value.contextId ?? undefined;
}

/** The fields of a frame that say who sends it. */
type CredentialFields = Pick<
  ClientFrame,
  'xi_api_key' | 'xi-api-key' | 'authorization' | 'single_use_token'
>;

/** The key or the token that a frame carries, in whichever of its spellings. */
export function* frameCredentials(frame: CredentialFields): Generator<SpeechCommand> {
  const { xi_api_key, 'xi-api-key': headerName, authorization, single_use_token } = frame;
  const fields = { xi_api_key, 'xi-api-key': headerName, authorization, single_use_token };
  const credentials = messageCredentials(fields);
  if (credentials.key !== undefined || credentials.token !== undefined)
    yield { type: 'authenticate', credentials };
}

/** The fields of a frame that settings may stand in. */
type SettingsFields = Pick<
  ClientFrame,
  'voice_settings' | 'generation_config' | 'generator_config' | 'pronunciation_dictionary_locators'
>;

/** The settings that a frame carries; undefined when it carries none. */
export function frameSettings(frame: SettingsFields): ContextSettings | undefined {
  const schedule = (frame.generation_config ?? frame.generator_config)?.chunk_length_schedule;
  const voiceSettings = readVoiceSettings(frame.voice_settings ?? {});
  const dictionaries = readLocators(frame.pronunciation_dictionary_locators);
  const settings: ContextSettings = {
    ...(Object.keys(voiceSettings).length > 0 && { voiceSettings }),
    ...(schedule && { chunkLengthSchedule: schedule }),
    ...(dictionaries.length > 0 && { dictionaries }),
  };
  return Object.keys(settings).length > 0 ? settings : undefined;
}
