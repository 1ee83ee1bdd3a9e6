import type { VoiceSettings } from './voice.ts';

/**
 * What made the audio: text-to-speech, or speech-to-speech. Clients may also ask for `Flows`, an editor
 * of the original, which nothing here has.
 */
export const HISTORY_SOURCES = ['TTS', 'STS', 'Flows'] as const;
export type HistorySource = (typeof HISTORY_SOURCES)[number];

/** A generation that was kept: what was spoken, how, and for whom. Its audio is a blob of its own. */
export interface HistoryItem {
  /** Sorts by the time of its making; unique over all accounts. */
  readonly historyItemId: string;
  readonly accountId: string;
  readonly requestId: string;
  readonly voiceId: string;
  /** As the voice was called then. */
  readonly voiceName: string;
  readonly voiceCategory: string;
  readonly modelId: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
  /** Characters that the account had used, before this generation and after. */
  readonly charactersBefore: number;
  readonly charactersAfter: number;
  readonly contentType: string;
  /** The wire name, such as `mp3_44100_128`. */
  readonly outputFormat: string;
  readonly settings: VoiceSettings;
  readonly source: HistorySource;
  /** When each character was spoken. Left out of lists: it outweighs all the rest. */
  readonly alignments: HistoryAlignments | undefined;
  readonly audioBytes: number;
}

/** When each character was spoken, exactly as the reply said it. */
export interface HistoryAlignments {
  /** On the text as it was sent. */
  readonly alignment: object | null;
  /** On the text as it is spoken. */
  readonly normalized_alignment: object | null;
}
