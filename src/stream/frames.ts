import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { SpeechError } from '../domain/errors.ts';
import type { VoiceSettings } from '../domain/voice.ts';
import type { ContextSettings } from '../speech/messages.ts';

/** Some clients send every value as a string (CLIENTS: jambonz). */
const NumberLike = (minimum: number, maximum: number) =>
  Type.Union([Type.Number({ minimum, maximum }), Type.String({ pattern: '^\\d+(\\.\\d+)?$' })]);
const BooleanLike = Type.Union([Type.Boolean(), Type.Literal('true'), Type.Literal('false')]);
const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const VoiceSettingsSchema = Type.Object({
  stability: Type.Optional(Nullable(NumberLike(0, 1))),
  similarity_boost: Type.Optional(Nullable(NumberLike(0, 1))),
  style: Type.Optional(Nullable(NumberLike(0, 1))),
  use_speaker_boost: Type.Optional(Nullable(BooleanLike)),
  speed: Type.Optional(Nullable(NumberLike(0.7, 1.2))),
});

const GenerationConfigSchema = Type.Object({
  chunk_length_schedule: Type.Optional(
    Nullable(Type.Array(Type.Number({ minimum: 50, maximum: 500 }), { minItems: 1, maxItems: 32 })),
  ),
});

/** One client frame of either websocket; unknown fields are ignored, as the original does. */
const ClientFrameSchema = Type.Object({
  text: Type.Optional(Nullable(Type.String())),
  try_trigger_generation: Type.Optional(Nullable(Type.Boolean())),
  flush: Type.Optional(Nullable(Type.Boolean())),
  voice_settings: Type.Optional(Nullable(VoiceSettingsSchema)),
  generation_config: Type.Optional(Nullable(GenerationConfigSchema)),
  generator_config: Type.Optional(Nullable(GenerationConfigSchema)),
  xi_api_key: Type.Optional(Nullable(Type.String())),
  'xi-api-key': Type.Optional(Nullable(Type.String())),
  authorization: Type.Optional(Nullable(Type.String())),
  context_id: Type.Optional(Nullable(Type.String({ maxLength: 256 }))),
  contextId: Type.Optional(Nullable(Type.String({ maxLength: 256 }))),
  close_context: Type.Optional(Nullable(Type.Boolean())),
  close_socket: Type.Optional(Nullable(Type.Boolean())),
});

export type ClientFrame = Type.Static<typeof ClientFrameSchema>;
type WireVoiceSettings = Type.Static<typeof VoiceSettingsSchema>;

const validator = Compile(ClientFrameSchema);

/** @throws SpeechError `invalid_input_message` that names the field at fault. */
export function parseClientFrame(message: string): ClientFrame {
  const value = parseJson(message);
  if (validator.Check(value)) return value;
  const [first] = validator.Errors(value);
  const field = first?.instancePath.slice(1).replaceAll('/', '.') || 'the message';
  throw new SpeechError(
    'invalid_input_message',
    `Invalid message: ${field} ${first?.message ?? 'is not valid'}.`,
    { param: field },
  );
}

function parseJson(message: string): unknown {
  try {
    return JSON.parse(message);
  } catch (cause) {
    throw new SpeechError(
      'invalid_input_message',
      'Invalid message: it is not JSON. Send an object such as {"text":"Hello "}.',
      { cause },
    );
  }
}

/** The key that a frame carries, in whichever of its spellings. */
export function frameKey(frame: ClientFrame): string | undefined {
  const bearer = frame.authorization?.replace(/^Bearer\s+/i, '');
  return frame.xi_api_key ?? frame['xi-api-key'] ?? bearer ?? undefined;
}

/** The settings that a frame carries; undefined when it carries none. */
export function frameSettings(frame: ClientFrame): ContextSettings | undefined {
  const schedule = (frame.generation_config ?? frame.generator_config)?.chunk_length_schedule;
  const voiceSettings = frame.voice_settings ? neutralSettings(frame.voice_settings) : {};
  const settings: ContextSettings = {
    ...(Object.keys(voiceSettings).length > 0 && { voiceSettings }),
    ...(schedule && { chunkLengthSchedule: schedule }),
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
