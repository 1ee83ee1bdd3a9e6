import type { AccountVoice } from '../../domain/account-voice.ts';
import type { Voice, VoiceSettings } from '../../domain/voice.ts';

/** A voice as one account sees it: of the installation, of its library, or of the account's own. */
export interface KnownVoice {
  readonly voiceId: string;
  /** Other ids that it answers to. */
  readonly aliases: readonly string[];
  readonly name: string;
  readonly category: VoiceCategory;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** What speaks; undefined while the voice is only recordings. */
  readonly voice: Voice | undefined;
  /** The account's own record, of a voice that it has added. */
  readonly own: AccountVoice | undefined;
  readonly settings: VoiceSettings;
}

/** `premade` are those that everybody sees listed, `professional` the others of the installation. */
export type VoiceCategory = 'premade' | 'professional' | 'cloned';

/** The voices that an account sees. */
export interface AccountVoices {
  /** @param accountId undefined for a caller without a key. */
  list(accountId: string | undefined): Promise<readonly KnownVoice[]>;
  /** @throws SpeechError `voice_id_does_not_exist`. */
  describe(accountId: string | undefined, voiceId: string): Promise<KnownVoice>;
}
