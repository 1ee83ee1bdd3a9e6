import type { AccountVoice, VoiceSample } from '../../domain/account-voice.ts';
import type { VoiceSettings } from '../../domain/voice.ts';

/** What its owner may change of a voice. Absent fields stay as they are. */
export interface VoiceChange {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Added after those it has. */
  readonly addedSamples?: readonly VoiceSample[] | undefined;
}

/** What an account may have of voices. */
export interface VoiceLimits {
  readonly voices: number;
  /** Of one voice. */
  readonly samples: number;
  /** Of all recordings of the account together. */
  readonly sampleBytes: number;
}

/** What came of adding a voice. In every case but `added` nothing has changed. */
export type VoiceAddition = 'added' | 'known' | 'too-many-voices' | 'too-many-bytes';

/** What came of changing a voice. In every case but `changed` nothing has changed. */
export type VoiceAlteration = 'changed' | 'unknown' | 'too-many-samples' | 'too-many-bytes';

/** The voices of accounts, and the settings that they have given to any voice. */
export interface VoiceStore {
  /** Counts and adds in one step. `known`: the account's voice with that id stays as it is. */
  add(voice: AccountVoice, limits: VoiceLimits): Promise<VoiceAddition>;
  find(accountId: string, voiceId: string): Promise<AccountVoice | undefined>;
  /** Oldest first. */
  list(accountId: string): Promise<readonly AccountVoice[]>;
  count(accountId: string): Promise<number>;
  /** Counts and changes in one step. `unknown`: the account has no such voice. */
  change(
    accountId: string,
    voiceId: string,
    change: VoiceChange,
    limits: VoiceLimits,
  ): Promise<VoiceAlteration>;
  /**
   * Removes a voice, its samples' records and the account's settings of it.
   *
   * @returns whether the account had such a voice.
   */
  remove(accountId: string, voiceId: string): Promise<boolean>;
  /** What the account has stored for a voice of anybody's; undefined when nothing. */
  findSettings(accountId: string, voiceId: string): Promise<VoiceSettings | undefined>;
  /** All that the account has stored, by voice id. */
  listSettings(accountId: string): Promise<ReadonlyMap<string, VoiceSettings>>;
  putSettings(accountId: string, voiceId: string, settings: VoiceSettings): Promise<void>;
}
