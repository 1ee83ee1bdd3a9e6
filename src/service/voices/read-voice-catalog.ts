import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Voice } from '../../domain/voice.ts';
import {
  type CuratedVoice,
  type VoiceAliases,
  VoiceCatalog,
  type VoiceModel,
} from './voice-catalog.ts';
import { voiceIdOf } from './voice-id.ts';

/** A voice file that was found, as the engine describes it. */
export interface FoundModel {
  readonly id: string;
  readonly config: {
    readonly espeakVoice: string;
    readonly language: { readonly code: string };
    readonly speakers: number;
  };
  readonly isCuratedOnly?: boolean;
  readonly unavailable?: () => Voice['unavailable'];
}

/** A setting gives an id to a voice that is not there. */
export class UnknownAliasError extends Error {
  override readonly name = 'UnknownAliasError';
}

interface ManifestEntry {
  readonly id: string;
  /** How people call it, where its id does not say. */
  readonly name?: string;
  readonly licence: string;
  readonly attribution: string;
}

/** A row of `voice-aliases.json`: a well-known voice of the original, and who speaks for it here. */
export interface KnownAlias {
  readonly voiceId: string;
  readonly modelFile: string;
  readonly speaker: number;
}

/**
 * The catalogue of the voices present: files as found, their names and terms from `manifest.json`,
 * names of speakers from `voices.json`, aliases from `voice-aliases.json`, all in `modelsDir`. Each list
 * may be missing in a folder of one's own.
 * @param extraAliases by voice id, the voice's id or listed name; they go before those of the file.
 * @throws UnknownAliasError when one of these leads to no voice.
 * @throws Error that names the list when one is there and cannot be read.
 */
export async function readVoiceCatalog(
  modelsDir: string,
  found: readonly FoundModel[],
  extraAliases: VoiceAliases = new Map(),
): Promise<VoiceCatalog> {
  const manifest = await readJson(join(modelsDir, 'manifest.json'), { voices: [] });
  const entries = (manifest as { voices: readonly ManifestEntry[] }).voices;
  const curated = await readJson(join(modelsDir, 'voices.json'), []);
  const models = found.map(({ id, config, ...rest }): VoiceModel => {
    const entry = entries.find((candidate) => candidate.id === id);
    return {
      id,
      languageCode: config.language.code,
      phonemeLanguage: config.espeakVoice,
      speakers: config.speakers,
      ...(rest.isCuratedOnly && { isCuratedOnly: true }),
      ...(rest.unavailable && { unavailable: rest.unavailable }),
      ...(entry && termsOf(entry)),
    };
  });
  const rows = (await readJson(join(modelsDir, 'voice-aliases.json'), [])) as readonly KnownAlias[];
  const known = rows.map((row) => [row.voiceId, voiceIdOf(row.modelFile, row.speaker)] as const);
  const catalog = new VoiceCatalog(models, curated as readonly CuratedVoice[], new Map(known));
  if (extraAliases.size === 0) return catalog;
  const aliases = new Map([...known, ...checkedAliases(extraAliases, catalog)]);
  return new VoiceCatalog(models, curated as readonly CuratedVoice[], aliases);
}

/** @returns each alias with the voice's own id. */
function checkedAliases(aliases: VoiceAliases, catalog: VoiceCatalog): VoiceAliases {
  return new Map(
    [...aliases].map(([alias, target]) => {
      const voice = catalog.named(target);
      if (voice && (!catalog.has(alias) || catalog.isAlias(alias)))
        return [alias, voice.aliasOf ?? voice.voiceId];
      throw new UnknownAliasError(
        voice
          ? `SIDETONE_VOICE_ALIASES gives "${alias}" to another voice, but it is the id of one that is installed here.`
          : `SIDETONE_VOICE_ALIASES gives "${alias}" to "${target}", which is no voice here: name one by its id or its listed name.`,
      );
    }),
  );
}

function termsOf({ name, licence, attribution }: ManifestEntry) {
  return { licence, attribution, ...(name !== undefined && { name }) };
}

async function readJson(path: string, absent: unknown): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return absent;
    throw thrown;
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path} is not JSON: restore the file that came with the program.`, { cause });
  }
}
