import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SpeechError } from '../../../../src/domain/errors.ts';
import { type CuratedVoice, VoiceCatalog } from '../../../../src/service/voices/voice-catalog.ts';
import { voiceIdOf } from '../../../../src/service/voices/voice-id.ts';

const LIBRITTS = {
  id: 'en_US-libritts_r-medium',
  name: 'LibriTTS-R',
  languageCode: 'en_US',
  phonemeLanguage: 'en-us',
  speakers: 904,
  licence: 'CC BY 4.0',
  attribution: 'LibriTTS-R, openslr.org/141',
};
const FABER = {
  id: 'pt_BR-faber-medium',
  languageCode: 'pt_BR',
  phonemeLanguage: 'pt-br',
  speakers: 1,
};
const SIWIS = {
  id: 'fr_FR-siwis-medium',
  languageCode: 'fr_FR',
  phonemeLanguage: 'fr',
  speakers: 1,
};
const VCTK = {
  id: 'en_GB-vctk-medium',
  languageCode: 'en_GB',
  phonemeLanguage: 'en-gb',
  speakers: 109,
};

const KOKORO = {
  id: 'kokoro-82m',
  languageCode: 'en_US',
  phonemeLanguage: 'en-us',
  speakers: 54,
  isCuratedOnly: true,
};

const AVA: CuratedVoice = {
  modelFile: LIBRITTS.id,
  speaker: 14,
  name: 'Ava',
  gender: 'female',
  description: 'Bright and quick.',
  language: 'en-US',
};
const NOAH: CuratedVoice = { ...AVA, speaker: 642, name: 'Noah', gender: 'male' };

function codeOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof SpeechError) return thrown.code;
    throw thrown;
  }
  return undefined;
}

describe('VoiceCatalog', () => {
  it('lists the curated voices of present models, then one of each other model', () => {
    const catalog = new VoiceCatalog([LIBRITTS, SIWIS, VCTK], [AVA, NOAH]);
    const shown = catalog.list().map(({ name, language }) => `${name} ${language}`);
    expect(shown).toEqual(['Ava en-US', 'Noah en-US', 'Siwis fr-FR', 'Vctk 0 en-GB']);
    expect(catalog.list().every((voice) => voice.listed)).toBe(true);
  });

  it('finds every speaker of every model, and says which a listing shows', () => {
    const catalog = new VoiceCatalog([LIBRITTS, VCTK], [AVA, NOAH]);
    for (const model of [LIBRITTS, VCTK]) {
      for (let speaker = 0; speaker < model.speakers; speaker += 1) {
        const voice = catalog.find(voiceIdOf(model.id, speaker));
        expect(voice).toMatchObject({ modelFile: model.id, speaker });
        const shown = catalog.list().some(({ voiceId }) => voiceId === voice.voiceId);
        expect(voice.listed).toBe(shown);
      }
    }
    expect(catalog.find(voiceIdOf(LIBRITTS.id, 123)).name).toBe('LibriTTS-R 123');
  });

  it('has languages of their own for speakers of one model, of whom only the curated are named', () => {
    const SIWIS_OF_KOKORO: CuratedVoice = {
      ...{ ...AVA, modelFile: KOKORO.id, speaker: 31, name: 'Siwis' },
      ...{ language: 'fr-FR', phonemeLanguage: 'fr' },
    };
    const catalog = new VoiceCatalog([KOKORO], [SIWIS_OF_KOKORO]);
    expect(catalog.list()).toMatchObject([{ language: 'fr-FR', phonemeLanguage: 'fr' }]);
    expect(catalog.library().map(({ speaker }) => speaker)).toEqual([31]);
    expect(catalog.has(voiceIdOf(KOKORO.id, 30))).toBe(false);
    expect(new VoiceCatalog([KOKORO], []).list()).toEqual([]);
  });

  it('says of each moment what cannot speak, and takes no such voice as the default', () => {
    let unavailable: 'arriving' | undefined = 'arriving';
    const late = { ...KOKORO, unavailable: () => unavailable };
    const heart: CuratedVoice = { ...AVA, modelFile: KOKORO.id, speaker: 3, name: 'Heart' };
    const catalog = new VoiceCatalog([late, LIBRITTS], [heart, AVA]);
    expect(catalog.list().map((voice) => voice.unavailable)).toEqual(['arriving', undefined]);
    expect(catalog.find(voiceIdOf(KOKORO.id, 3)).unavailable).toBe('arriving');
    expect(catalog.choose(undefined).name).toBe('Ava');
    expect(catalog.choose('heart').name).toBe('Heart');
    unavailable = undefined;
    expect(catalog.list().map((voice) => voice.unavailable)).toEqual([undefined, undefined]);
  });

  it('carries the description, licence and attribution', () => {
    const catalog = new VoiceCatalog([LIBRITTS, FABER], [AVA]);
    expect(catalog.find(voiceIdOf(LIBRITTS.id, 14))).toEqual({
      ...AVA,
      voiceId: voiceIdOf(LIBRITTS.id, 14),
      phonemeLanguage: 'en-us',
      licence: 'CC BY 4.0',
      attribution: 'LibriTTS-R, openslr.org/141',
      listed: true,
    });
    const dropped = catalog.find(voiceIdOf(FABER.id, 0));
    expect(dropped).toMatchObject({ name: 'Faber', gender: null, description: null });
    expect(dropped.licence).toContain('model card');
    expect(dropped.attribution).toContain('model card');
  });

  it.each([
    ['another form', 'Ava'],
    ['a model that is not present', voiceIdOf('de_DE-thorsten-medium', 0)],
    ['a speaker past the table', voiceIdOf(LIBRITTS.id, 904)],
    ['a property of every object', 'constructor'],
  ])('refuses %s', (_, voiceId) => {
    const catalog = new VoiceCatalog([LIBRITTS], [AVA]);
    expect(codeOf(() => catalog.find(voiceId))).toBe('voice_id_does_not_exist');
    expect(() => catalog.find(voiceId)).toThrow('GET /v1/voices');
  });

  it('takes the first curated voice that is present as the default', () => {
    expect(new VoiceCatalog([SIWIS, LIBRITTS], [NOAH, AVA]).choose(undefined).name).toBe('Noah');
    expect(new VoiceCatalog([SIWIS], [NOAH, AVA]).choose(undefined).name).toBe('Siwis');
    expect(codeOf(() => new VoiceCatalog([], [AVA]).choose(undefined))).toBe('voice_not_ready');
  });
});

describe('models/voices.json', () => {
  const file = new URL('../../../../models/voices.json', import.meta.url);
  const curated = JSON.parse(readFileSync(file, 'utf8')) as CuratedVoice[];
  const catalog = new VoiceCatalog([LIBRITTS, FABER, KOKORO], curated);

  it('offers at least 12 English voices, as many female as male, each once', () => {
    const english = curated.filter((voice) => voice.modelFile === LIBRITTS.id);
    expect(english.length).toBeGreaterThanOrEqual(12);
    const women = english.filter((voice) => voice.gender === 'female').length;
    const men = english.filter((voice) => voice.gender === 'male').length;
    expect(women).toBe(men);
    expect(new Set(curated.map((voice) => voice.name)).size).toBe(curated.length);
    expect(new Set(english.map((voice) => voice.speaker)).size).toBe(english.length);
  });

  it('names only speakers that exist, all with a description', () => {
    expect(catalog.list()).toHaveLength(curated.length);
    for (const voice of catalog.list()) {
      expect(voice.description).toMatch(/\w.*\.$/);
      expect(voice.listed).toBe(true);
    }
  });
});
