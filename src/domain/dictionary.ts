/** A pronunciation dictionary: what an account wants certain words to sound like. */
export interface Dictionary {
  readonly dictionaryId: string;
  readonly accountId: string;
  readonly name: string;
  readonly description: string | null;
  /** Milliseconds since 1970, like every `…AtMs`. */
  readonly createdAtMs: number;
  /** Archived dictionaries still work, and are left out of listings. */
  readonly archivedAtMs: number | null;
  readonly latestVersionId: string;
  readonly latestRuleCount: number;
}

/** What a dictionary said at one time. Versions never change: a change of rules makes a new one. */
export interface DictionaryVersion {
  readonly versionId: string;
  readonly dictionaryId: string;
  readonly rules: readonly DictionaryRule[];
  readonly createdAtMs: number;
}

interface RuleOptions {
  /** The text that the rule is about, as it is written. */
  readonly stringToReplace: string;
  readonly caseSensitive: boolean;
  /** Whether only whole words are meant. */
  readonly wordBoundaries: boolean;
}

/** Speaks other words in place of those written. */
export interface AliasRule extends RuleOptions {
  readonly type: 'alias';
  readonly alias: string;
}

export type PhoneticAlphabet = 'ipa' | 'cmu-arpabet';

/** Says how the words written sound. */
export interface PhonemeRule extends RuleOptions {
  readonly type: 'phoneme';
  readonly phoneme: string;
  readonly alphabet: PhoneticAlphabet;
}

export type DictionaryRule = AliasRule | PhonemeRule;

/** How a request names a dictionary. Without a version, its latest is meant. */
export interface DictionaryLocator {
  readonly dictionaryId: string;
  readonly versionId?: string | undefined;
}
