import { SpeechError } from '../../src/domain/errors.ts';
import { DEFAULT_VOICE_SETTINGS, type Voice } from '../../src/domain/voice.ts';
import type { Engine } from '../../src/synthesis/engine/engine.ts';
import type { Speaker } from '../../src/synthesis/speech/speaker.ts';
import type { SpeechServices } from '../../src/synthesis/speech/speech-services.ts';
import { FrontEnd } from '../../src/synthesis/text/front-end.ts';
import { LetterPhonemiser } from './letter-phonemiser.ts';

export const VOICE_ID = 'toneToneToneTone0000';

export const VOICE: Voice = {
  voiceId: VOICE_ID,
  name: 'Tone',
  language: 'en-US',
  phonemeLanguage: 'en-us',
  gender: null,
  description: null,
  modelFile: 'tone',
  speaker: 0,
  licence: 'none',
  attribution: 'none',
  listed: true,
};

/** Speaks with an engine that has no model, such as `ToneEngine`. */
export function toneSpeaker(engine: Engine, parts: Partial<Speaker> = {}): Speaker {
  return {
    engine,
    frontEnd: new FrontEnd(new LetterPhonemiser(), () => undefined),
    now: () => performance.now(),
    ...parts,
  };
}

/** One voice for everybody, free of charge; `parts` take the place of these simple ones. */
export function toneSpeech(engine: Engine, parts: Partial<SpeechServices> = {}): SpeechServices {
  return {
    speaker: toneSpeaker(engine),
    findVoice: async (_caller, voiceId = VOICE_ID) => {
      if (voiceId === VOICE_ID) return { voice: VOICE, settings: DEFAULT_VOICE_SETTINGS };
      throw new SpeechError(
        'voice_id_does_not_exist',
        `There is no voice with the id "${voiceId}".`,
      );
    },
    findDictionaries: () => [],
    openMeter: () => ({
      enter: async () => ({ hear: () => undefined, end: async () => undefined }),
    }),
    confirm: async () => undefined,
    telemetry: { chunkSpoken: () => undefined, chunkCut: () => undefined },
    ...parts,
  };
}
