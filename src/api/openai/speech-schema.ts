import { Type } from 'typebox';
import { formatOfName, OUTPUT_FORMATS, type OutputFormat } from '../../domain/audio.ts';
import { SpeechError } from '../../domain/errors.ts';
import { SPEECH_HEADERS } from '../rest-speech/reply-schemas.ts';
import type { JsonSchema } from '../wire/json-schema.ts';
import { optionalField } from '../wire/optional-field.ts';

/** What each value of `response_format` is here. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['mp3', 'mp3_44100_128'],
  ['opus', 'opus_48000_64'],
  ['flac', 'flac_24000'],
  ['wav', 'wav_24000'],
  ['pcm', 'pcm_24000'],
]);
const FORMAT_NAMES = [...FORMATS.keys()].join(', ');
const CONTENT_TYPES = new Set(
  [...[...FORMATS.values()].map(formatOfName), ...OUTPUT_FORMATS].map(
    ({ contentType }) => contentType,
  ),
);
/** Of OpenAI's; what is heard is for `readOpenAiRequest` to say. */
const MIN_SPEED = 0.25;
const MAX_SPEED = 4;

const VoiceReference = Type.Union([Type.String(), Type.Object({ id: Type.String() }), Type.Null()]);

/** `POST /v1/audio/speech`. Unknown fields are ignored; null leaves a field out. */
export const OpenAiSpeechBody = Type.Object({
  input: Type.String({
    description: 'What to say: up to as many characters as the model takes.',
    examples: ['Hello. How can I help you?'],
  }),
  model: optionalField<string>('string', {
    description: 'tts-1, tts-1-hd, gpt-4o-mini-tts, or any model of GET /v1/models.',
    examples: ['tts-1'],
  }),
  voice: Type.Optional({
    ...VoiceReference,
    description:
      'A name of OpenAI’s, or the id or the name of a voice here; see GET /v1/audio/voices. The default voice unless given.',
    examples: ['alloy'],
  }),
  response_format: optionalField<string>('string', {
    description: `${FORMAT_NAMES}, or an output_format of the first wire such as ulaw_8000; mp3 unless given.`,
    examples: ['mp3'],
  }),
  speed: optionalField<number>('number', {
    minimum: MIN_SPEED,
    maximum: MAX_SPEED,
    description: "Pace, 0.25–4; 1 is the voice's own. Above 2.5 it is 2.5 that is spoken.",
  }),
  instructions: optionalField<string>('string', {
    description: 'Accepted for compatibility; has no effect here.',
  }),
  stream_format: optionalField<string>('string', {
    enum: ['audio', 'sse', null],
    description: 'The audio as it is, or as server-sent events with base64; audio unless given.',
  }),
  optimize_streaming_latency: optionalField<number>('integer', {
    minimum: 0,
    maximum: 4,
    description: 'How early speech starts, as on the first wire: 0 after a whole sentence.',
  }),
  seed: optionalField<number>('integer', {
    description: '0–4294967295. The same seed, text and settings give the same bytes.',
  }),
});
export type WireOpenAiSpeech = Type.Static<typeof OpenAiSpeechBody>;

/** One event of the stream, for the documents. */
const SpeechEvent = Type.Union(
  [
    Type.Object({
      type: Type.Literal('speech.audio.delta'),
      audio: Type.String({ contentEncoding: 'base64' }),
    }),
    Type.Object({
      type: Type.Literal('speech.audio.done'),
      usage: Type.Object(
        {
          input_tokens: Type.Integer(),
          output_tokens: Type.Integer(),
          total_tokens: Type.Integer(),
        },
        { description: 'Characters that are charged stand in place of tokens.' },
      ),
    }),
  ],
  { title: 'SpeechEvent' },
);

export const OpenAiSpeechReply = {
  description: 'The speech, as it is made; a WAV file, which says its length first, in one piece.',
  headers: SPEECH_HEADERS,
  content: {
    ...Object.fromEntries([...CONTENT_TYPES].map((type) => [type, { schema: {} }])),
    'text/event-stream': { schema: SpeechEvent as JsonSchema },
  },
};

/** @throws SpeechError `invalid_output_format` that lists the formats there are. */
export function readResponseFormat(asked: string | null | undefined): OutputFormat {
  const name = asked || 'mp3';
  const ownName = FORMATS.get(name);
  if (ownName !== undefined) return formatOfName(ownName);
  const format = OUTPUT_FORMATS.find((known) => known.name === name);
  if (format) return format;
  throw new SpeechError(
    'invalid_output_format',
    `${name === 'aac' ? 'AAC cannot be encoded here' : `Unknown response_format "${name}"`}. Use one of: ${FORMAT_NAMES}.`,
    { param: 'output_format' },
  );
}
