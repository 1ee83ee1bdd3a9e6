import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Voice } from '../../domain/voice.ts';
import { type CuratedVoice, VoiceCatalog, type VoiceModel } from './voice-catalog.ts';

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

interface ManifestEntry {
  readonly id: string;
  /** How people call it, where its id does not say. */
  readonly name?: string;
  readonly licence: string;
  readonly attribution: string;
}

/**
 * The catalogue of the voices present: files as found, their names and terms from `manifest.json`,
 * names of speakers from `voices.json`, both in `modelsDir`. Either list may be missing in a folder of one's own.
 * @throws Error that names the list when one is there and cannot be read.
 */
export async function readVoiceCatalog(
  modelsDir: string,
  found: readonly FoundModel[],
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
  return new VoiceCatalog(models, curated as readonly CuratedVoice[]);
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
