import type { AccountVoice } from '../../domain/account-voice.ts';
import { SpeechError } from '../../domain/errors.ts';
import {
  type ConfiguredVoice,
  DEFAULT_VOICE_SETTINGS,
  type Voice,
  type VoiceSettings,
} from '../../domain/voice.ts';
import { LastKnown } from '../storage/last-known.ts';
import type { VoiceChange, VoiceLimits, VoiceStore } from '../storage/voice-store.ts';
import type { KnownVoice } from './known-voice.ts';
import type { VoiceCatalog } from './voice-catalog.ts';
import { libraryOwnerOf } from './voice-id.ts';
import { tooManyRecordings, tooManySamples, tooManyVoices } from './voice-refusals.ts';

export interface VoiceDirectoryOptions {
  readonly catalog: VoiceCatalog;
  readonly store: VoiceStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The voices that accounts can name: those installed, and those that they have added themselves. */
export class VoiceDirectory {
  readonly #catalog: VoiceCatalog;
  readonly #store: VoiceStore;
  readonly #now: () => number;
  readonly #speaking = new LastKnown<ConfiguredVoice>();

  constructor({ catalog, store, now }: VoiceDirectoryOptions) {
    this.#catalog = catalog;
    this.#store = store;
    this.#now = now;
  }

  /**
   * The voice for a request to speak, as it was within the last second (`LastKnown`).
   *
   * @throws SpeechError `voice_id_does_not_exist`; `voice_not_prepared` for one that is only recordings.
   */
  async find(accountId: string, voiceId: string): Promise<ConfiguredVoice> {
    return this.#speaking.read(JSON.stringify([accountId, voiceId]), () =>
      this.#find(accountId, voiceId),
    );
  }

  async #find(accountId: string, voiceId: string): Promise<ConfiguredVoice> {
    const { voice, name, settings } = await this.describe(accountId, voiceId);
    if (voice) return { voice: { ...voice, name }, settings };
    throw new SpeechError(
      // Nothing is on its way, so that 503 and Retry-After would only have clients ask in vain.
      'voice_not_prepared',
      `The voice "${name}" is not ready: it is stored as recordings, which cannot speak yet. Choose another, from GET /v1/voices.`,
      { param: 'voice_id' },
    );
  }

  /**
   * @param accountId undefined for a caller without a key, who sees what is installed.
   * @throws SpeechError `voice_id_does_not_exist`.
   */
  async describe(accountId: string | undefined, voiceId: string): Promise<KnownVoice> {
    if (accountId === undefined) return this.#installed(this.#catalog.find(voiceId), undefined);
    const [own, settings] = await Promise.all([
      this.#store.find(accountId, voiceId),
      this.#store.findSettings(accountId, voiceId),
    ]);
    if (!own) return this.#installed(this.#catalog.find(voiceId), settings);
    return own.origin === 'recordings' ? recorded(own, settings) : this.#adopted(own, settings);
  }

  /** The voices that answer to those of some ids that are aliases, each under the id that was asked. */
  describeAliases(accountId: string, voiceIds: readonly string[]): Promise<readonly KnownVoice[]> {
    const aliases = [...new Set(voiceIds)].filter((id) => this.#catalog.isAlias(id));
    return Promise.all(aliases.map((id) => this.describe(accountId, id)));
  }

  /**
   * The listed voices of the installation, then the account's own, oldest first. A library voice
   * whose model is gone is left out.
   */
  async list(accountId: string | undefined): Promise<readonly KnownVoice[]> {
    const listed = this.#catalog.list();
    if (accountId === undefined) return listed.map((voice) => this.#installed(voice, undefined));
    const [own, settings] = await Promise.all([
      this.#store.list(accountId),
      this.#store.listSettings(accountId),
    ]);
    // A voice may have been adopted before the installation came to list it.
    const ownIds = new Set(own.map(({ voiceId }) => voiceId));
    return [
      ...listed
        .filter(({ voiceId }) => !ownIds.has(voiceId))
        .map((voice) => this.#installed(voice, settings.get(voice.voiceId))),
      ...own.flatMap((voice) => this.#ifPresent(voice, settings.get(voice.voiceId))),
    ];
  }

  /** How many voices the account has added. */
  count(accountId: string): Promise<number> {
    return this.#store.count(accountId);
  }

  /** Every voice that can be adopted or is listed already, and whether the account lists it. */
  async library(
    accountId: string,
  ): Promise<ReadonlyArray<{ readonly voice: Voice; readonly isAdded: boolean }>> {
    const own = new Set((await this.#store.list(accountId)).map(({ voiceId }) => voiceId));
    return this.#catalog
      .library()
      .map((voice) => ({ voice, isAdded: voice.listed || own.has(voice.voiceId) }));
  }

  /**
   * Puts a voice of the library into the account's list.
   *
   * @param ownerId as the library says.
   * @throws SpeechError `voice_id_does_not_exist`, `already_exists`, `voice_limit_reached`.
   */
  async adopt(
    accountId: string,
    { ownerId, voiceId }: { readonly ownerId: string; readonly voiceId: string },
    name: string,
    limits: VoiceLimits,
  ): Promise<void> {
    const voice = this.#catalog.find(voiceId);
    if (libraryOwnerOf(voiceId) !== ownerId) {
      throw new SpeechError(
        'voice_id_does_not_exist',
        `"${ownerId}" has no voice "${voiceId}": GET /v1/shared-voices lists voices with their owners.`,
        { param: 'public_user_id' },
      );
    }
    const isNew =
      !voice.listed &&
      (await this.add(
        {
          accountId,
          voiceId,
          origin: 'library',
          name,
          description: null,
          labels: {},
          createdAtMs: this.#now(),
          samples: [],
        },
        limits,
      ));
    if (isNew) return;
    throw new SpeechError(
      'already_exists',
      `The voice "${voiceId}" is in your list already: POST /v1/voices/${voiceId}/edit renames it.`,
      { param: 'voice_id' },
    );
  }

  /**
   * Looks whether the account may add a voice, to refuse early: `add` counts again.
   *
   * @throws SpeechError `voice_limit_reached`.
   */
  async assertRoom(accountId: string, limits: VoiceLimits): Promise<void> {
    if ((await this.#store.count(accountId)) >= limits.voices) throw tooManyVoices(limits);
  }

  /**
   * @returns whether the account had no voice with that id.
   * @throws SpeechError `voice_limit_reached`, `account_limit_reached`.
   */
  async add(voice: AccountVoice, limits: VoiceLimits): Promise<boolean> {
    const addition = await this.#store.add(voice, limits);
    this.#speaking.forget();
    if (addition === 'too-many-voices') throw tooManyVoices(limits);
    if (addition === 'too-many-bytes') throw tooManyRecordings(limits);
    return addition === 'added';
  }

  /**
   * @throws SpeechError `voice_id_does_not_exist`, `account_limit_reached`; `missing_permissions` for
   *   an installed voice; `invalid_input_message` for too many recordings of one voice.
   */
  async change(
    accountId: string,
    voiceId: string,
    change: VoiceChange,
    limits: VoiceLimits,
  ): Promise<void> {
    const alteration = await this.#store.change(accountId, voiceId, change, limits);
    this.#speaking.forget();
    if (alteration === 'unknown') throw this.#notOwn(voiceId);
    if (alteration === 'too-many-samples') throw tooManySamples(limits);
    if (alteration === 'too-many-bytes') throw tooManyRecordings(limits);
  }

  /**
   * @returns what the voice was.
   * @throws SpeechError `voice_id_does_not_exist`; `missing_permissions` for an installed voice.
   */
  async remove(accountId: string, voiceId: string): Promise<AccountVoice> {
    const voice = await this.#store.find(accountId, voiceId);
    const isRemoved = voice && (await this.#store.remove(accountId, voiceId));
    this.#speaking.forget();
    if (isRemoved) return voice;
    throw this.#notOwn(voiceId);
  }

  /**
   * @param change over what is stored, or else over the defaults.
   * @throws SpeechError `voice_id_does_not_exist`.
   */
  async changeSettings(
    accountId: string,
    voiceId: string,
    change: Partial<VoiceSettings>,
  ): Promise<void> {
    const { settings } = await this.describe(accountId, voiceId);
    await this.#store.putSettings(accountId, voiceId, { ...settings, ...change });
    this.#speaking.forget();
  }

  #notOwn(voiceId: string): SpeechError {
    const { name } = this.#catalog.find(voiceId);
    return new SpeechError(
      'missing_permissions',
      `The voice "${name}" is part of the installation: only voices that you have added can be changed or deleted.`,
      { param: 'voice_id' },
    );
  }

  #ifPresent(own: AccountVoice, settings: VoiceSettings | undefined): readonly KnownVoice[] {
    if (own.origin === 'recordings') return [recorded(own, settings)];
    return this.#catalog.has(own.voiceId) ? [this.#adopted(own, settings)] : [];
  }

  #installed(voice: Voice, settings: VoiceSettings | undefined): KnownVoice {
    return {
      voiceId: voice.voiceId,
      aliases: this.#catalog.aliasesOf(voice.aliasOf ?? voice.voiceId),
      name: voice.name,
      category: voice.listed ? 'premade' : 'professional',
      description: voice.description,
      labels: labelsOf(voice),
      voice,
      own: undefined,
      settings: settings ?? DEFAULT_VOICE_SETTINGS,
    };
  }

  #adopted(own: AccountVoice, settings: VoiceSettings | undefined): KnownVoice {
    const voice = this.#installed(this.#catalog.find(own.voiceId), settings);
    return {
      ...voice,
      own,
      name: own.name,
      description: own.description ?? voice.description,
      labels: { ...voice.labels, ...own.labels },
    };
  }
}

function recorded(own: AccountVoice, settings: VoiceSettings | undefined): KnownVoice {
  return {
    voiceId: own.voiceId,
    aliases: [],
    name: own.name,
    category: 'cloned',
    description: own.description,
    labels: own.labels,
    voice: undefined,
    own,
    settings: settings ?? DEFAULT_VOICE_SETTINGS,
  };
}

/** What clients of the original look for under `labels`: all of them text. */
function labelsOf({ language, gender, description }: Voice): Readonly<Record<string, string>> {
  return {
    language: language.split(/[-_]/, 1)[0]?.toLowerCase() ?? language,
    locale: language,
    ...(gender && { gender }),
    ...(description && { description }),
  };
}
