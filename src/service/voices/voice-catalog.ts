import { SpeechError } from '../../domain/errors.ts';
import type { Voice } from '../../domain/voice.ts';
import { modelKeyOf, parseVoiceId, voiceIdOf } from './voice-id.ts';

/** A voice file that is present, as far as naming its voices needs to know it. */
export interface VoiceModel {
  /** File stem, such as `en_US-libritts_r-medium`. */
  readonly id: string;
  /** As Piper configs write it, such as `en_US`. */
  readonly languageCode: string;
  /** Of its Piper config's `espeak.voice`, such as `en-us`. */
  readonly phonemeLanguage: string;
  /** Rows of the speaker table; 1 for a single-speaker model. */
  readonly speakers: number;
  /** How people call it, such as `LibriTTS-R`; made from the stem when absent. */
  readonly name?: string;
  readonly licence?: string;
  readonly attribution?: string;
  /** Whether only its curated speakers may be named. */
  readonly isCuratedOnly?: boolean;
  /** Why it cannot speak at the moment; see `Voice`. */
  readonly unavailable?: () => Voice['unavailable'];
}

/** A row of `models/voices.json`: a speaker that was chosen and named. */
export type CuratedVoice = Pick<
  Voice,
  'modelFile' | 'speaker' | 'name' | 'gender' | 'description' | 'language'
> & {
  /** Where a model's speakers have languages of their own. */
  readonly phonemeLanguage?: string;
};

/** Voice ids, each with the id of the voice that answers to it. */
export type VoiceAliases = ReadonlyMap<string, string>;

const UNKNOWN_TERMS = 'see the voice’s own model card';

/**
 * Every voice of the models that are present. A listing shows the curated ones and one of each other
 * model; every speaker of every model is found by its id, and some by an alias besides.
 */
export class VoiceCatalog {
  readonly #models: ReadonlyMap<string, VoiceModel>;
  readonly #curated: ReadonlyMap<string, CuratedVoice>;
  readonly #listed: readonly Voice[];
  readonly #aliases: VoiceAliases;
  #library: readonly Voice[] | undefined;

  /**
   * @param models those present, in the order in which a listing shows them.
   * @param curated the first whose model is present is the default voice; rows of absent models are
   * skipped.
   * @param aliases those of voices that are not there are unknown ids.
   */
  constructor(
    models: readonly VoiceModel[],
    curated: readonly CuratedVoice[],
    aliases: VoiceAliases = new Map(),
  ) {
    this.#aliases = aliases;
    this.#models = new Map(models.map((model) => [modelKeyOf(model.id), model]));
    this.#curated = new Map(
      curated.map((voice) => [voiceIdOf(voice.modelFile, voice.speaker), voice]),
    );
    const present = new Map(models.map((model) => [model.id, model]));
    const chosen = curated.flatMap((voice) => {
      const model = present.get(voice.modelFile);
      return model && voice.speaker < model.speakers ? [this.#voice(model, voice.speaker)] : [];
    });
    const others = models.filter((model) => !model.isCuratedOnly && !this.#hasCurated(model));
    this.#listed = [...chosen, ...others.map((model) => this.#voice(model, 0))];
  }

  /** The voices that a plain listing shows, the default first. */
  list(): readonly Voice[] {
    return this.#listed.map((voice) => this.#asOfNow(voice));
  }

  /** Every speaker of the models that have several: those to choose from beside the listed. */
  library(): readonly Voice[] {
    this.#library ??= [...this.#models.values()]
      .filter((model) => model.speakers > 1)
      .flatMap((model) =>
        Array.from({ length: model.speakers }, (_, speaker) => this.#voice(model, speaker)),
      )
      .filter((voice) => this.#mayBeNamed(voice));
    return this.#library;
  }

  /**
   * @param voiceId of any speaker of any model that is present, listed or not; or an alias, which the
   *   voice then carries as its id.
   * @throws SpeechError `voice_id_does_not_exist`.
   */
  find(voiceId: string): Voice {
    const voice = this.#find(voiceId);
    if (voice) return voice;
    throw new SpeechError(
      'voice_id_does_not_exist',
      `There is no voice with the id "${voiceId}": list them with GET /v1/voices, or let one answer to it with SIDETONE_VOICE_ALIASES.`,
      { param: 'voice_id' },
    );
  }

  /** The other ids that a voice answers to. */
  aliasesOf(voiceId: string): readonly string[] {
    return [...this.#aliases].filter(([, target]) => target === voiceId).map(([alias]) => alias);
  }

  /** Whether there is a voice with that id. */
  has(voiceId: string): boolean {
    return this.#find(voiceId) !== undefined;
  }

  /** Whether an id is one of the others that a voice answers to. */
  isAlias(voiceId: string): boolean {
    return this.#find(voiceId)?.aliasOf !== undefined;
  }

  /** A voice by its listed name or by its id. */
  named(idOrName: string): Voice | undefined {
    const wanted = idOrName.toLowerCase();
    return this.list().find(({ name }) => name.toLowerCase() === wanted) ?? this.#find(idOrName);
  }

  /**
   * The voice for those who name none: the first one, or the one that a setting names by its id or its listed name.
   * @throws SpeechError `voice_id_does_not_exist`; `voice_not_ready` when no model is present.
   */
  choose(idOrName: string | undefined): Voice {
    const first = this.list().find(({ unavailable }) => !unavailable);
    const chosen = idOrName === undefined ? first : this.named(idOrName);
    if (chosen) return chosen;
    if (first) {
      throw new SpeechError(
        'voice_id_does_not_exist',
        `SIDETONE_DEFAULT_VOICE is "${idOrName}", which is no voice here: name one by its id or its listed name, such as ${first.name}.`,
      );
    }
    throw new SpeechError(
      'voice_not_ready',
      'No voice file is present: restart the server with "npm start", which fetches the voices.',
    );
  }

  #find(voiceId: string): Voice | undefined {
    const installed = this.#installed(voiceId);
    const target = this.#aliases.get(voiceId);
    if (installed || target === undefined) return installed;
    const voice = this.#installed(target);
    return voice && { ...voice, voiceId, aliasOf: target };
  }

  #installed(voiceId: string): Voice | undefined {
    const parts = parseVoiceId(voiceId);
    const model = parts && this.#models.get(parts.modelKey);
    if (!model || parts.speaker >= model.speakers) return undefined;
    const voice = this.#voice(model, parts.speaker);
    return this.#mayBeNamed(voice) ? this.#asOfNow(voice) : undefined;
  }

  #mayBeNamed({ voiceId, modelFile }: Voice): boolean {
    return !this.#models.get(modelKeyOf(modelFile))?.isCuratedOnly || this.#curated.has(voiceId);
  }

  #asOfNow(voice: Voice): Voice {
    const unavailable = this.#models.get(modelKeyOf(voice.modelFile))?.unavailable?.();
    return unavailable ? { ...voice, unavailable } : voice;
  }

  #voice(model: VoiceModel, speaker: number): Voice {
    const voiceId = voiceIdOf(model.id, speaker);
    const curated = this.#curated.get(voiceId);
    return {
      voiceId,
      name: curated?.name ?? plainName(model, speaker),
      language: curated?.language ?? model.languageCode.replaceAll('_', '-'),
      phonemeLanguage: curated?.phonemeLanguage ?? model.phonemeLanguage,
      gender: curated?.gender ?? null,
      description: curated?.description ?? null,
      modelFile: model.id,
      speaker,
      licence: model.licence ?? UNKNOWN_TERMS,
      attribution: model.attribution ?? UNKNOWN_TERMS,
      listed: curated !== undefined || (speaker === 0 && !this.#hasCurated(model)),
    };
  }

  #hasCurated(model: VoiceModel): boolean {
    return Array.from(this.#curated.values()).some((voice) => voice.modelFile === model.id);
  }
}

/** `fr_FR-siwis-medium` is "Siwis"; speaker 7 of `en_GB-vctk-medium` is "Vctk 7". */
function plainName(model: VoiceModel, speaker: number): string {
  const name = model.name ?? titleOf(model.id);
  return model.speakers > 1 ? `${name} ${speaker}` : name;
}

function titleOf(modelId: string): string {
  const dataset = modelId.split('-')[1] ?? modelId;
  const words = dataset.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return words.join(' ');
}
