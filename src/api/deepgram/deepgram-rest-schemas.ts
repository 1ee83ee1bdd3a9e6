import { Type } from 'typebox';
import type { JsonSchema } from '../wire/json-schema.ts';
import { optionalField } from '../wire/optional-field.ts';
import { ENCODING_NAMES } from './deepgram-formats.ts';

/** What `POST /v1/speak` accepts. Values of the query are checked after the key, so here they are only described. */

const ACCEPTED = 'Accepted for compatibility; has no effect here.';
const text = (description: string) => optionalField<string>('string', { description });
const integer = (options: JsonSchema) => optionalField<number>('integer', options);

export const DeepgramSpeakQuery = Type.Object({
  model: text(
    'Who speaks: the name of one of Deepgram’s English voices, such as aura-2-thalia-en, or a voice_id of GET /v1/voices. The default voice unless given.',
  ),
  encoding: text(`One of ${ENCODING_NAMES.join(', ')}; mp3 unless given.`),
  container: text('wav or none around linear16, mulaw and alaw, wav unless given; ogg for opus.'),
  sample_rate: integer({
    description:
      'Samples per second of linear16 (24000 unless given), mulaw or alaw (8000 or 16000). mp3 has 22050, opus 48000.',
  }),
  bit_rate: integer({
    description:
      'Bits per second of mp3 (32000 or 48000, which is the default) or opus: the encoder’s next rate up.',
  }),
  speed: optionalField<number>('number', {
    description: 'Pace; 0.7 to 1.2 are spoken, and what is beyond counts as these.',
  }),
  optimize_streaming_latency: integer({
    minimum: 0,
    maximum: 4,
    description: 'Not of Deepgram’s: as POST /v1/text-to-speech/{voice_id} has it.',
  }),
  callback: text('Refused: the audio is the answer.'),
  callback_method: text(ACCEPTED),
  tag: text(ACCEPTED),
  mip_opt_out: optionalField<boolean>('boolean', { description: ACCEPTED }),
});
export type DeepgramSpeakQuery = Type.Static<typeof DeepgramSpeakQuery>;

export const DeepgramSpeakBody = Type.Object({
  text: optionalField<string>('string', {
    description: 'What is said.',
    examples: ['Hello. Thank you for calling.'],
  }),
  url: text('Refused: send the text itself.'),
});
export type DeepgramSpeakBody = Type.Static<typeof DeepgramSpeakBody>;

const header = (type: string, description: string) => ({ description, schema: { type } });

/** The audio, in one of these. */
const CONTENT_TYPES = [
  'audio/mpeg',
  'audio/wav',
  'audio/ogg',
  'audio/l16',
  'audio/mulaw',
  'audio/alaw',
];

export const DEEPGRAM_SPEAK_REPLIES = {
  200: {
    description: 'The speech, from its first tenth of a second on.',
    headers: {
      'dg-request-id': header('string', 'Id of the request.'),
      'dg-model-name': header('string', 'Who speaks, as it was asked for.'),
      'dg-model-uuid': header('string', 'Always the same for the same name.'),
      'dg-char-count': header('integer', 'Characters of the text.'),
      'dg-speed-used': header('number', 'The pace, where one was asked for.'),
    },
    content: Object.fromEntries(CONTENT_TYPES.map((type) => [type, { schema: {} }])),
  },
};
