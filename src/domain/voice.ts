/** What a caller names in a path; resolves to a model file and a speaker in it. */
export interface Voice {
  /** 20 letters and digits: clients of the original treat anything else as a name to look up. */
  readonly voiceId: string;
  /** Its own id, where `voiceId` is another under which it was asked for. */
  readonly aliasOf?: string;
  readonly name: string;
  /** BCP-47-like code of the language it speaks, such as `en-US`. */
  readonly language: string;
  /** The phonemiser's name for that language, such as `en-us` (a Piper config's `espeak.voice`). */
  readonly phonemeLanguage: string;
  readonly gender: 'female' | 'male' | 'neutral' | null;
  readonly description: string | null;
  /** File stem of the engine model, such as `en_US-libritts_r-medium`. */
  readonly modelFile: string;
  /** Row of the speaker embedding; 0 for a single-speaker model. */
  readonly speaker: number;
  readonly licence: string;
  readonly attribution: string;
  /** One of the curated voices that a plain listing shows; the others are reached by id. */
  readonly listed: boolean;
  /** Why it cannot speak now: its files are on their way, or cannot be had. Most voices are simply there. */
  readonly unavailable?: 'arriving' | 'absent';
}

/** How a voice delivers, as callers set it (PROTOCOL §3.1). */
export interface VoiceSettings {
  /** 0–1; lower lets delivery vary more between runs. */
  readonly stability: number;
  /** 0–1. */
  readonly similarityBoost: number;
  /** 0–1; more pitch and rhythm movement. */
  readonly style: number;
  readonly useSpeakerBoost: boolean;
  /** 0.7–1.2; 1 is the voice's own pace. */
  readonly speed: number;
}

export const DEFAULT_VOICE_SETTINGS: VoiceSettings = {
  stability: 0.5,
  similarityBoost: 0.75,
  style: 0,
  useSpeakerBoost: true,
  speed: 1,
};

/** A voice with the settings that it speaks with, unless a context sets others. */
export interface ConfiguredVoice {
  readonly voice: Voice;
  readonly settings: VoiceSettings;
}

/** The voice with some settings changed. */
export function reconfigured(
  { voice, settings }: ConfiguredVoice,
  changes: Partial<VoiceSettings> = {},
): ConfiguredVoice {
  return { voice, settings: { ...settings, ...changes } };
}
