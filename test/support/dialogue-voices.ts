import { SpeechError } from '../../src/domain/errors.ts';
import { DEFAULT_VOICE_SETTINGS } from '../../src/domain/voice.ts';
import type { SpeechServices } from '../../src/synthesis/speech/speech-services.ts';
import { VOICE } from './tone-speech.ts';

export const [ANNA, BEN] = ['annaAnnaAnnaAnna0000', 'benBenBenBenBenBen00'] as const;

/** The speaker that the engine is asked for; the default voice is that of nobody in particular. */
const SPEAKERS: ReadonlyMap<string, number> = new Map([
  [VOICE.voiceId, 0],
  [ANNA, 1],
  [BEN, 2],
]);

/** Voices that an engine without a model can tell apart by their speakers. */
export const findDialogueVoice: SpeechServices['findVoice'] = async (
  _caller,
  voiceId = VOICE.voiceId,
) => {
  const speaker = SPEAKERS.get(voiceId);
  if (speaker !== undefined)
    return { voice: { ...VOICE, voiceId, speaker }, settings: DEFAULT_VOICE_SETTINGS };
  throw new SpeechError('voice_id_does_not_exist', `There is no voice "${voiceId}".`);
};
