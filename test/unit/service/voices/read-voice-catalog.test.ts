import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  type KnownAlias,
  readVoiceCatalog,
  UnknownAliasError,
} from '../../../../src/service/voices/read-voice-catalog.ts';
import { voiceIdOf } from '../../../../src/service/voices/voice-id.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

const MODELS = fileURLToPath(new URL('../../../../models', import.meta.url));
const LIBRITTS = found('en_US-libritts_r-medium', 'en_US', 904);
const OWN = found('en_GB-my_own-medium', 'en_GB', 1);

function found(id: string, code: string, speakers: number) {
  return { id, config: { espeakVoice: 'en-us', language: { code }, speakers } };
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(MODELS, name), 'utf8'));
}

describe('the catalogue of a models folder', () => {
  it('calls unlisted speakers after their dataset, as the manifest writes it', async () => {
    const catalog = await readVoiceCatalog(MODELS, [LIBRITTS]);
    const unlisted = catalog.library().find(({ listed }) => !listed);
    expect(unlisted?.name).toBe(`LibriTTS-R ${unlisted?.speaker}`);
    expect(unlisted?.licence).toBe('CC BY 4.0');
    expect(unlisted?.attribution).toMatch(/LibriTTS-R/);
  });

  it('names voices that the manifest does not know after their files', async () => {
    const catalog = await readVoiceCatalog(MODELS, [OWN]);
    expect(catalog.find(voiceIdOf(OWN.id, 0))).toMatchObject({
      name: 'My Own',
      licence: expect.stringMatching(/model card/),
    });
  });

  it('does without lists in a folder of one\u2019s own', async () => {
    const catalog = await readVoiceCatalog(temporaryDir(), [LIBRITTS]);
    expect(catalog.list().map(({ name }) => name)).toEqual(['Libritts R 0']);
  });

  it('says which list is spoiled', async () => {
    const folder = temporaryDir();
    writeFileSync(join(folder, 'voices.json'), '[{');
    await expect(readVoiceCatalog(folder, [LIBRITTS])).rejects.toThrow(/voices\.json is not JSON/);
  });
});

describe('models/voice-aliases.json', () => {
  const rows = readJson('voice-aliases.json') as ReadonlyArray<
    KnownAlias & { name: string; gender: string }
  >;

  it('gives each well-known id a listed voice of the same sex', async () => {
    const catalog = await readVoiceCatalog(MODELS, [LIBRITTS]);
    expect(new Set(rows.map(({ voiceId }) => voiceId)).size).toBe(rows.length);
    for (const { voiceId, name, gender } of rows) {
      // An id of the original's or of Cartesia's, a model of Deepgram's, or a name of OpenAI's.
      expect(voiceId).toMatch(
        /^([A-Za-z0-9]{20}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|aura-(2-)?[a-z]+-en|[a-z]+)$/,
      );
      const voice = catalog.find(voiceId);
      expect(voice, name).toMatchObject({ voiceId, listed: true });
      if (gender !== 'neutral') expect(voice.gender, name).toBe(gender);
      expect(catalog.aliasesOf(voice.aliasOf ?? '')).toContain(voiceId);
    }
  });

  it('has the ids that public clients send unless told otherwise, always for the same voices', async () => {
    const catalog = await readVoiceCatalog(MODELS, [LIBRITTS]);
    const spokenBy = {
      '21m00Tcm4TlvDq8ikWAM': 'Clara',
      EXAVITQu4vr4xnSDxMaL: 'Sofia',
      JBFqnCBsd6RMkjVDRZzb: 'Ben',
      bIHbv24MWmeRgasZH58o: 'Theo',
      hpp4J3VqNfWAUOO0d1Us: 'Iris',
      pNInz6obpgDQGcFmaJgB: 'Victor',
      'aura-2-andromeda-en': 'Maya',
      'aura-2-helena-en': 'Sofia',
      'aura-2-thalia-en': 'Iris',
      'aura-asteria-en': 'Clara',
    };
    for (const [voiceId, name] of Object.entries(spokenBy)) {
      expect(catalog.find(voiceId).name).toBe(name);
    }
  });

  it('is on the page of voices as it is', () => {
    const page = readFileSync(join(MODELS, '../src/synthesis/VOICES.md'), 'utf8');
    for (const { voiceId, name } of rows) expect(page).toContain(`${name} \`${voiceId}\``);
    const table = page.slice(page.indexOf('| Speaks |'));
    expect(table.match(/`[A-Za-z0-9-]+`/g)).toHaveLength(rows.length);
  });

  it('names no voice whose file is not there', async () => {
    const catalog = await readVoiceCatalog(MODELS, [OWN]);
    expect(() => catalog.find('21m00Tcm4TlvDq8ikWAM')).toThrow('SIDETONE_VOICE_ALIASES');
  });
});

describe('aliases of the settings', () => {
  const read = (aliases: Readonly<Record<string, string>>) =>
    readVoiceCatalog(MODELS, [LIBRITTS], new Map(Object.entries(aliases)));

  it('name voices by id, by listed name or by another alias, and go before those of the file', async () => {
    const zoe = voiceIdOf(LIBRITTS.id, 693);
    const catalog = await read({
      one: zoe,
      '21m00Tcm4TlvDq8ikWAM': 'zoe',
      two: 'pNInz6obpgDQGcFmaJgB',
    });
    expect(catalog.find('one')).toMatchObject({ voiceId: 'one', name: 'Zoe', aliasOf: zoe });
    expect(catalog.find('21m00Tcm4TlvDq8ikWAM').name).toBe('Zoe');
    expect(catalog.find('two').name).toBe('Victor');
    expect(catalog.find('EXAVITQu4vr4xnSDxMaL').name).toBe('Sofia');
  });

  it('are refused where they name no voice, or take the id of one', async () => {
    await expect(read({ one: 'Nobody' })).rejects.toThrow(UnknownAliasError);
    await expect(read({ one: 'Nobody' })).rejects.toThrow(/"one" to "Nobody", which is no voice/);
    await expect(read({ [voiceIdOf(LIBRITTS.id, 3)]: 'Zoe' })).rejects.toThrow(/installed here/);
  });
});
