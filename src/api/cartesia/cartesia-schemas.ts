import { Type } from 'typebox';
import type { JsonSchema } from '../wire/json-schema.ts';
import { optionalField } from '../wire/optional-field.ts';
import { CONTAINERS, ENCODINGS } from './cartesia-formats.ts';

/**
 * What requests to speak have in common over HTTP and on the websocket
 * (https://docs.cartesia.ai/api-reference/tts/websocket). Unknown fields are ignored, and null leaves a
 * field out. Values are checked by those who read them, for errors that say what there is.
 */

const UNUSED = 'Accepted for compatibility; has no effect here.';
const text = (description: string) => optionalField<string>('string', { description });
const integer = (options: JsonSchema) => optionalField<number>('integer', options);
const number = (description: string) => optionalField<number>('number', { description });
const truth = (description: string) => optionalField<boolean>('boolean', { description });

const VoiceObject = Type.Object({
  mode: text('id, which may be left out. An embedding is refused.'),
  id: text('As the voice itself.'),
});
const VoiceReference = Type.Union([Type.String(), VoiceObject, Type.Null()]);

const OutputFormatSchema = Type.Object({
  container: text(`${CONTAINERS.join(', ')}; raw unless given, and on the websocket always.`),
  encoding: text(`Of raw and wav: ${ENCODINGS.join(', ')}; pcm_s16le unless given.`),
  sample_rate: integer({
    description: 'Samples per second: 8000, 16000, 22050, 24000, 44100 (the default) or 48000.',
  }),
  bit_rate: integer({ description: 'Bits per second of mp3; 128000 unless given.' }),
});

const GenerationConfigFields = Type.Object({
  speed: number('Pace; 0.7 to 1.2 are spoken, and what is beyond counts as these.'),
});

/** How one text is to be spoken, wherever it is asked for. */
export const CARTESIA_SPEECH_FIELDS = {
  model_id: text(
    'sonic-3.5, sonic-3, sonic-2, sonic-turbo or another sonic, with or without a date, or any model of GET /v1/models.',
  ),
  voice: Type.Optional({
    ...VoiceReference,
    description:
      'Who speaks: an id of Cartesia’s that public clients send, or a voice_id here, bare or as {"mode":"id","id":…}. The default voice unless given.',
  }),
  output_format: optionalField<Type.Static<typeof OutputFormatSchema>>('object', {
    ...OutputFormatSchema,
    type: ['object', 'null'],
    description: 'What the audio is.',
  }),
  generation_config: optionalField<Type.Static<typeof GenerationConfigFields>>('object', {
    ...GenerationConfigFields,
    type: ['object', 'null'],
    description: 'How the voice delivers. Volume and emotion have no effect here.',
  }),
  speed: Type.Optional(
    Type.Union([Type.Number(), Type.String(), Type.Null()], {
      description: 'The older speed: slow, normal or fast, or a number as in generation_config.',
    }),
  ),
  language: text('Accepted for compatibility; a voice speaks its language.'),
  locale: text('Likewise.'),
  normalization: text('off leaves numbers, dates and the like as they are.'),
  pronunciation_dict_id: text('A pronunciation dictionary here.'),
  add_timestamps: truth('Whether it is told when each word is heard.'),
  add_phoneme_timestamps: truth('Refused when true: there are times of words.'),
  use_normalized_timestamps: truth('Whether words are as they are spoken, and not as written.'),
  optimize_streaming_latency: integer({
    minimum: 0,
    maximum: 4,
    description: 'Not of Cartesia’s: how early speech starts, as on the first wire.',
  }),
};

/** `POST /tts/bytes` and `POST /tts/sse`. */
export const CartesiaSpeechBody = Type.Object({
  ...CARTESIA_SPEECH_FIELDS,
  transcript: Type.String({ description: 'What is said.', examples: ['Hello. How can I help?'] }),
  context_id: text('Told in each event.'),
  save: truth(UNUSED),
});
export type CartesiaSpeechBody = Type.Static<typeof CartesiaSpeechBody>;
export type CartesiaSpeechFields = Omit<CartesiaSpeechBody, 'transcript' | 'context_id' | 'save'>;

/** One message of a client on the websocket. */
export const CartesiaMessageSchema = Type.Object({
  ...CARTESIA_SPEECH_FIELDS,
  context_id: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'Which context it is for: any id that is not in use.',
  }),
  transcript: text('Text, cut anywhere: it is joined as it comes.'),
  continue: truth('Whether more text follows; not unless given.'),
  flush: truth('Whether what is held is spoken now.'),
  max_buffer_delay_ms: integer({
    minimum: 0,
    maximum: 5000,
    description: 'How long text may wait for more text, in milliseconds; 3000 unless given.',
  }),
  cancel: truth('Whether the context falls silent at once.'),
});
export type CartesiaMessage = Type.Static<typeof CartesiaMessageSchema>;
