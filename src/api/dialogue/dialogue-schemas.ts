import { Type } from 'typebox';
import { TimedAudio } from '../rest-speech/reply-schemas.ts';
import { SpeechBody } from '../rest-speech/speech-schemas.ts';
import { optionalField } from '../wire/optional-field.ts';
import { SETTING_RANGES } from '../wire/voice-settings.ts';
import { VoiceSegment } from './voice-segments.ts';

/** What the four routes of dialogues accept and answer; see `SpeechBody`. */

const [minimum, maximum] = SETTING_RANGES.stability;

const SettingsSchema = Type.Object({
  stability: optionalField<number>('number', {
    ...{ minimum, maximum },
    description: 'How alike repeated readings are; lower lets timbre and rhythm vary more.',
  }),
  similarity: optionalField<number>('number', {
    description: 'Accepted for compatibility; the voices here do not use it.',
  }),
});

const { text: _text, voice_settings: _settings, next_text, ...shared } = SpeechBody.properties;

export const DialogueBody = Type.Object({
  inputs: Type.Array(
    Type.Object({
      text: Type.String({ description: 'What is said. It may hold audio tags.' }),
      voice_id: Type.String({ description: 'Who says it; see GET /v1/voices.' }),
    }),
    {
      minItems: 1,
      description: 'The lines of the dialogue, of at most ten voices.',
      examples: [[{ text: 'Are you there?', voice_id: '21m00Tcm4TlvDq8ikWAM' }]],
    },
  ),
  settings: optionalField<{ stability?: number | null; similarity?: number | null }>('object', {
    ...SettingsSchema,
    type: ['object', 'null'],
    description: 'How the voices deliver. What is left out is as each voice has it stored.',
  }),
  ...shared,
  future_text: next_text,
});
export type WireDialogueBody = Type.Static<typeof DialogueBody>;

export const TimedDialogue = Type.Object(
  { ...TimedAudio.properties, voice_segments: Type.Array(VoiceSegment) },
  { title: 'TimedDialogue', description: 'Times of the text, and who speaks when.' },
);
