import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { parseBoundedJson } from '../../domain/bounded-json.ts';
import { SpeechError } from '../../domain/errors.ts';
import { assertSchema } from '../../domain/schema-errors.ts';
import type { VoiceSettings } from '../../domain/voice.ts';
import type { ContextSettings } from '../../synthesis/speech/messages.ts';
import { messageCredentials } from '../identity/key-places.ts';
import { type ClientFrame, ClientFrameSchema, type WireVoiceSettings } from './frame-schemas.ts';

export type { ClientFrame } from './frame-schemas.ts';

const validator = Compile(ClientFrameSchema);
const idValidator = Compile(Type.Pick(ClientFrameSchema, ['context_id', 'contextId']));

/** @throws SpeechError `invalid_input_message` that names the field at fault. */
export function parseClientFrame(message: string): ClientFrame {
  const value = parseJson(message);
  assertSchema(validator, value, { subject: 'Invalid message: ' });
  return value as ClientFrame;
}

/** @throws SpeechError `invalid_input_message`. */
export function parseJson(message: string): unknown {
  try {
    return parseBoundedJson(message);
  } catch (cause) {
    throw new SpeechError(
      'invalid_input_message',
      'Invalid message: it is not JSON, or nested too deep. Send an object such as {"text":"Hello "}.',
      { cause },
    );
  }
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

/** The key that a frame carries, in whichever of its spellings. */
export function frameKey(frame: ClientFrame): string | undefined {
  const { xi_api_key, 'xi-api-key': headerName, authorization } = frame;
  return messageCredentials({ xi_api_key, 'xi-api-key': headerName, authorization }).key;
}

/** The settings that a frame carries; undefined when it carries none. */
export function frameSettings(frame: ClientFrame): ContextSettings | undefined {
  const schedule = (frame.generation_config ?? frame.generator_config)?.chunk_length_schedule;
  const voiceSettings = frame.voice_settings ? neutralSettings(frame.voice_settings) : {};
  const locators = frame.pronunciation_dictionary_locators?.map((locator) => ({
    dictionaryId: locator.pronunciation_dictionary_id,
    versionId: locator.version_id ?? undefined,
  }));
  const settings: ContextSettings = {
    ...(Object.keys(voiceSettings).length > 0 && { voiceSettings }),
    ...(schedule && { chunkLengthSchedule: schedule }),
    ...(locators && locators.length > 0 && { dictionaries: locators }),
  };
  return Object.keys(settings).length > 0 ? settings : undefined;
}

function neutralSettings(wire: WireVoiceSettings): Partial<VoiceSettings> {
  const number = (value: number | string | null | undefined) =>
    value == null ? undefined : Number(value);
  const boost = wire.use_speaker_boost;
  return withoutUndefined({
    stability: number(wire.stability),
    similarityBoost: number(wire.similarity_boost),
    style: number(wire.style),
    useSpeakerBoost: boost == null ? undefined : String(boost) === 'true',
    speed: number(wire.speed),
  });
}

function withoutUndefined<T extends object>(
  object: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
