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

/** The voices of accounts, and the settings that they have given to any voice. */
export interface VoiceStore {
  /** @returns whether it is new; the account's voice with that id stays as it is otherwise. */
  add(voice: AccountVoice): Promise<boolean>;
  find(accountId: string, voiceId: string): Promise<AccountVoice | undefined>;
  /** Oldest first. */
  list(accountId: string): Promise<readonly AccountVoice[]>;
  count(accountId: string): Promise<number>;
  /** @returns whether the account has such a voice. */
  change(accountId: string, voiceId: string, change: VoiceChange): Promise<boolean>;
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
