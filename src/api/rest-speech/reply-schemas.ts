import { type TSchema, Type } from 'typebox';
import { OUTPUT_FORMATS, type OutputFormat } from '../../domain/audio.ts';
import { AUDIO, type ReplyForm } from './reply-form.ts';

/** What the four routes of speech answer with, for the documents. */

const CharacterTimes = Type.Object(
  {
    characters: Type.Array(Type.String()),
    character_start_times_seconds: Type.Array(Type.Number()),
    character_end_times_seconds: Type.Array(Type.Number()),
  },
  { title: 'CharacterTimes', description: 'When each character is heard; lists of equal length.' },
);
const TimesOrNull = Type.Union([CharacterTimes, Type.Null()]);

export const TimedAudio = Type.Object(
  {
    audio_base64: Type.String({ contentEncoding: 'base64' }),
    alignment: TimesOrNull,
    normalized_alignment: TimesOrNull,
  },
  { title: 'TimedAudio', description: 'Times of the text as it was sent, and as it is spoken.' },
);

const text = (description: string) => ({ description, schema: { type: 'string' } });
const count = (description: string) => ({ description, schema: { type: 'integer' } });

/** Of every reply with speech. */
export const SPEECH_HEADERS = {
  'request-id': text('Id of the request.'),
  'history-item-id': text('Where the speech is kept, unless it is not.'),
  'character-cost': count('Characters that are charged.'),
  'current-concurrent-requests': count('Requests of the account at once, this one included.'),
  'maximum-concurrent-requests': count('How many may be at once.'),
};
const WHOLE_HEADERS = { ...SPEECH_HEADERS, 'tts-latency-ms': count('Milliseconds of work.') };

/**
 * @param isStreamed whether the reply comes while it is made.
 * @param timed of a reply, or of each line of a stream, that is not audio alone.
 */
export function speechReplies(form: ReplyForm, isStreamed: boolean, timed: TSchema = TimedAudio) {
  const headers = isStreamed ? SPEECH_HEADERS : WHOLE_HEADERS;
  const formats = OUTPUT_FORMATS.filter(({ isStreamable }) => isStreamable || !isStreamed);
  const content = form === AUDIO ? audioContent(formats) : timedContent(timed, isStreamed);
  return { 200: { description: 'The speech.', headers, content } };
}

/** By output format; none of them says anything about the bytes that JSON Schema could check. */
function audioContent(formats: readonly OutputFormat[]) {
  return Object.fromEntries(formats.map(({ contentType }) => [contentType, { schema: {} }]));
}

/** Of a stream, the schema is that of each line. */
function timedContent(schema: TSchema, isStreamed: boolean) {
  return { [isStreamed ? 'application/x-ndjson' : 'application/json']: { schema } };
}
