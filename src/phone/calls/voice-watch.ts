import type { SpeechEdge } from '../voice-activity/speech-edges.ts';
import type { VoiceActivity } from '../voice-activity/voice-activity.ts';
import type { CallerAudio } from './caller-audio.ts';

/** Has a caller listened to. @returns what ends it; idempotent. */
export type VoiceWatch = (caller: CallerAudio, onEdge: (edge: SpeechEdge) => void) => () => void;

/** @param sampleRate of the caller's audio. */
export function voiceWatch(voiceActivity: VoiceActivity, sampleRate: number): VoiceWatch {
  return (caller, onEdge) => {
    const listener = voiceActivity.listen(sampleRate, onEdge);
    caller.watch(listener.sampleRate, (samples) => listener.hear(samples));
    return () => listener.close();
  };
}
