import { Type } from 'typebox';
import { DEFAULT_VOICE_SETTINGS, type VoiceSettings } from '../../domain/voice.ts';
import { optionalField } from './optional-field.ts';

/** The settings that are numbers, as every wire calls them, and the least and the most of each. */
export const SETTING_RANGES = {
  stability: [0, 1],
  similarity_boost: [0, 1],
  style: [0, 1],
  speed: [0.7, 1.2],
} as const;
type NumberName = keyof typeof SETTING_RANGES;

const UNUSED = 'Accepted for compatibility; the voices here do not use it.';

/**
 * The fields of `voice_settings`. Each may be left out, and null means the same.
 * @param unchecked those whose range the reader checks, for an error of its own.
 */
export function voiceSettingsFields(unchecked: readonly NumberName[] = []) {
  const number = (name: NumberName, example: number, description: string) => {
    const [minimum, maximum] = SETTING_RANGES[name];
    const range = unchecked.includes(name) ? {} : { minimum, maximum };
    return optionalField<number>('number', { ...range, description, examples: [example] });
  };
  const { stability, similarityBoost, style, speed } = DEFAULT_VOICE_SETTINGS;
  return {
    stability: number(
      'stability',
      stability,
      'How alike repeated readings are; lower lets timbre and rhythm vary more.',
    ),
    similarity_boost: number('similarity_boost', similarityBoost, UNUSED),
    style: number('style', style, 'Expressiveness, 0–1: more movement, of rhythm above all.'),
    use_speaker_boost: optionalField<boolean>('boolean', { description: UNUSED }),
    speed: number('speed', speed, "Pace, 0.7–1.2; 1 is the voice's own."),
  };
}

export const VoiceSettingsSchema = Type.Object(voiceSettingsFields());
/** Of a request, in the spelling of every wire; see `readSpelled` for other spellings of values. */
export type WireVoiceSettings = Type.Static<typeof VoiceSettingsSchema>;

/** Of a reply. */
export const VoiceSettingsRecord = Type.Object(
  {
    stability: Type.Number(),
    similarity_boost: Type.Number(),
    style: Type.Number(),
    use_speaker_boost: Type.Boolean(),
    speed: Type.Number(),
  },
  { title: 'VoiceSettings' },
);

/** Those that the client sets. */
export function readVoiceSettings(wire: WireVoiceSettings): Partial<VoiceSettings> {
  const settings = {
    stability: wire.stability,
    similarityBoost: wire.similarity_boost,
    style: wire.style,
    useSpeakerBoost: wire.use_speaker_boost,
    speed: wire.speed,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value != null));
}

export function writeVoiceSettings(settings: VoiceSettings) {
  return {
    stability: settings.stability,
    similarity_boost: settings.similarityBoost,
    style: settings.style,
    use_speaker_boost: settings.useSpeakerBoost,
    speed: settings.speed,
  };
}
