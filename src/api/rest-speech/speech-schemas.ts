import { Type } from 'typebox';
import { OUTPUT_FORMATS } from '../../domain/audio.ts';
import { MODELS } from '../../domain/model.ts';
import { DEFAULT_VOICE_SETTINGS } from '../../domain/voice.ts';

/**
 * What the four routes of speech accept. A schema refuses a request before its key is looked at;
 * formats, seeds and the lengths of lists are checked after the key (PROTOCOL §3.2), so here they
 * are only described. Unknown fields are ignored. Numbers and booleans may come as strings.
 */

interface Described {
  readonly description: string;
  readonly [keyword: string]: unknown;
}

/** Null means the same as leaving a field out. Two types in a list, because coercion tries both. */
const nullable = <T>(type: string, options: Described) =>
  Type.Optional(Type.Unsafe<T | null>({ type: [type, 'null'], ...options }));
const number = (options: Described) => nullable<number>('number', options);
const integer = (options: Described) => nullable<number>('integer', options);
const boolean = (options: Described) => nullable<boolean>('boolean', options);
const text = (options: Described) => nullable<string>('string', options);

const ACCEPTED = 'Accepted for compatibility; has no effect here.';
const NO_CONTEXT =
  'Accepted for compatibility; has no effect here: a voice speaks every sentence for itself.';

const latency = integer({
  minimum: 0,
  maximum: 4,
  description:
    'How early speech starts: 0 after a whole sentence, 3 after two or three words, 1 and 2 in between; 4 is 3 without the text normaliser. 0 unless given; the query counts before the body, and the body before voice_settings.',
});

const VoiceSettingsSchema = Type.Object({
  stability: number({
    minimum: 0,
    maximum: 1,
    description: 'How alike repeated readings are; lower lets timbre and rhythm vary more.',
    examples: [DEFAULT_VOICE_SETTINGS.stability],
  }),
  similarity_boost: number({
    minimum: 0,
    maximum: 1,
    description: 'Accepted for compatibility; the voices here do not use it.',
    examples: [DEFAULT_VOICE_SETTINGS.similarityBoost],
  }),
  style: number({
    description: 'Expressiveness, 0–1: more movement, of rhythm above all.',
    examples: [DEFAULT_VOICE_SETTINGS.style],
  }),
  use_speaker_boost: boolean({
    description: 'Accepted for compatibility; the voices here do not use it.',
  }),
  speed: number({
    description: "Pace, 0.7–1.2; 1 is the voice's own.",
    examples: [DEFAULT_VOICE_SETTINGS.speed],
  }),
  optimize_streaming_latency: latency,
});
export type WireVoiceSettings = Type.Static<typeof VoiceSettingsSchema>;

const LocatorSchema = Type.Object({
  pronunciation_dictionary_id: Type.String({ description: 'The dictionary.' }),
  version_id: text({ description: 'One of its versions; the latest unless given.' }),
});
export type WireLocator = Type.Static<typeof LocatorSchema>;

export const SpeechParams = Type.Object({
  voice_id: Type.String({ description: 'The voice that speaks; see GET /v1/voices.' }),
});

export const SpeechQuery = Type.Object({
  output_format: Type.Optional(
    Type.String({
      description: `Encoding, samples per second and kilobits per second of the audio: one of ${OUTPUT_FORMATS.map(({ name }) => name).join(', ')}. mp3_44100_128 unless given.`,
      examples: ['mp3_44100_128'],
    }),
  ),
  optimize_streaming_latency: latency,
  enable_logging: boolean({
    description: 'Whether the speech is kept in the history; true unless given.',
  }),
});
export type WireSpeechQuery = Type.Static<typeof SpeechQuery>;

export const SpeechBody = Type.Object({
  text: Type.String({ description: 'What to say.', examples: ['Hello. How can I help you?'] }),
  model_id: text({
    description: `One of ${MODELS.map(({ modelId }) => modelId).join(', ')}, or an id that public clients are known to send; see GET /v1/models.`,
  }),
  voice_settings: nullable<WireVoiceSettings>('object', {
    ...VoiceSettingsSchema,
    type: ['object', 'null'],
    description:
      'How the voice delivers, for this request. What is left out is as the voice has it stored.',
  }),
  pronunciation_dictionary_locators: nullable<WireLocator[]>('array', {
    items: LocatorSchema,
    description: 'Up to three pronunciation dictionaries, applied in this order.',
  }),
  seed: integer({
    description:
      '0–4294967295. The same seed, text and settings give the same bytes. Without one, readings vary a little.',
  }),
  apply_text_normalization: text({
    enum: ['auto', 'on', 'off', null],
    description:
      'Whether numbers, dates, money and the like are written out before they are spoken; auto is on, and off at optimize_streaming_latency 4.',
  }),
  optimize_streaming_latency: latency,
  language_code: text({ description: 'Accepted for compatibility; a voice speaks its language.' }),
  previous_text: text({ description: NO_CONTEXT }),
  next_text: text({ description: NO_CONTEXT }),
  previous_request_ids: nullable<string[]>('array', {
    items: { type: 'string' },
    description: `At most three. ${NO_CONTEXT}`,
  }),
  next_request_ids: nullable<string[]>('array', {
    items: { type: 'string' },
    description: `At most three. ${NO_CONTEXT}`,
  }),
  use_pvc_as_ivc: boolean({ description: ACCEPTED }),
  apply_language_text_normalization: boolean({ description: ACCEPTED }),
});
export type WireSpeechBody = Type.Static<typeof SpeechBody>;
