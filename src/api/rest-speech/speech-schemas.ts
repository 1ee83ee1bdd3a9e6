import { Type } from 'typebox';
import { OUTPUT_FORMATS } from '../../domain/audio.ts';
import { MODELS } from '../../domain/model.ts';
import { LocatorSchema, type WireLocator } from '../wire/dictionary-locators.ts';
import type { JsonSchema } from '../wire/json-schema.ts';
import { optionalField } from '../wire/optional-field.ts';
import { voiceSettingsFields } from '../wire/voice-settings.ts';

/**
 * What the four routes of speech accept. A schema refuses a request before its key is looked at;
 * formats, seeds and the lengths of lists are checked after the key (PROTOCOL §3.2), so here they
 * are only described. Unknown fields are ignored. Numbers and booleans may come as strings.
 */

type Described = JsonSchema & { readonly description: string };

const integer = (options: Described) => optionalField<number>('integer', options);
const boolean = (options: Described) => optionalField<boolean>('boolean', options);
const text = (options: Described) => optionalField<string>('string', options);

const ACCEPTED = 'Accepted for compatibility; has no effect here.';
const NO_CONTEXT =
  'Accepted for compatibility; has no effect here: a voice speaks every sentence for itself.';

const latency = integer({
  minimum: 0,
  maximum: 4,
  description:
    'How early speech starts: 0 after a whole sentence, 3 after two or three words, 1 and 2 in between; 4 is 3 without the text normaliser. 0 unless given; the query counts before the body, and the body before voice_settings.',
});

/** Ranges of these the original answers to after the key, with an error of their own. */
export const CHECKED_LATER = ['style', 'speed'] as const;

const SpeechSettingsSchema = Type.Object({
  ...voiceSettingsFields(CHECKED_LATER),
  optimize_streaming_latency: latency,
});
export type WireSpeechSettings = Type.Static<typeof SpeechSettingsSchema>;

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
  voice_settings: optionalField<WireSpeechSettings>('object', {
    ...SpeechSettingsSchema,
    type: ['object', 'null'],
    description:
      'How the voice delivers, for this request. What is left out is as the voice has it stored.',
  }),
  pronunciation_dictionary_locators: optionalField<WireLocator[]>('array', {
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
  previous_request_ids: optionalField<string[]>('array', {
    items: { type: 'string' },
    description: `At most three. ${NO_CONTEXT}`,
  }),
  next_request_ids: optionalField<string[]>('array', {
    items: { type: 'string' },
    description: `At most three. ${NO_CONTEXT}`,
  }),
  use_pvc_as_ivc: boolean({ description: ACCEPTED }),
  apply_language_text_normalization: boolean({ description: ACCEPTED }),
});
export type WireSpeechBody = Type.Static<typeof SpeechBody>;
