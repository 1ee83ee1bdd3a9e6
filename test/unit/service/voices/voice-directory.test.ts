import { describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_VOICE_SETTINGS } from '../../../../src/domain/voice.ts';
import { VoiceCatalog } from '../../../../src/service/voices/voice-catalog.ts';
import { VoiceDirectory } from '../../../../src/service/voices/voice-directory.ts';
import { openStorageHere } from '../../../support/storage-here.ts';
import { NO_VOICE_LIMITS } from '../../../support/storages.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';
import { ADA, UNLISTED, VOICES } from '../../api/resources/api-harness.ts';

async function openDirectory() {
  const storage = await openStorageHere({ dataDir: temporaryDir() });
  onTestFinished(() => storage.close());
  const open = (catalog: VoiceCatalog) =>
    new VoiceDirectory({ catalog, store: storage.voices, now: () => 5 });
  return { directory: open(VOICES), open };
}

const BERT = { ownerId: UNLISTED.slice(0, 16), voiceId: UNLISTED };

describe('VoiceDirectory', () => {
  it('finds the voice to speak with, and what is stored for it', async () => {
    const { directory } = await openDirectory();
    expect(await directory.find('default', ADA)).toEqual({
      voice: VOICES.find(ADA),
      settings: DEFAULT_VOICE_SETTINGS,
    });
    await directory.changeSettings('default', ADA, { speed: 1.1 });
    await directory.changeSettings('default', ADA, { stability: 0.9 });
    const settings = { ...DEFAULT_VOICE_SETTINGS, speed: 1.1, stability: 0.9 };
    expect((await directory.find('default', ADA)).settings).toEqual(settings);
    expect((await directory.find('other', ADA)).settings).toEqual(DEFAULT_VOICE_SETTINGS);
  });

  it('calls an adopted voice what its account calls it, and no other account', async () => {
    const { directory } = await openDirectory();
    await directory.adopt('default', BERT, 'Bert', NO_VOICE_LIMITS);
    const library = VOICES.find(UNLISTED);
    expect((await directory.find('default', UNLISTED)).voice).toEqual({ ...library, name: 'Bert' });
    expect((await directory.find('other', UNLISTED)).voice).toEqual(library);
    expect((await directory.list('other')).map(({ voiceId }) => voiceId)).not.toContain(UNLISTED);
  });

  it('leaves out adopted voices whose model is gone, and still deletes them', async () => {
    const { directory, open } = await openDirectory();
    await directory.adopt('default', BERT, 'Bert', NO_VOICE_LIMITS);
    const later = open(new VoiceCatalog([], []));
    expect(await later.list('default')).toEqual([]);
    await expect(later.find('default', UNLISTED)).rejects.toMatchObject({
      code: 'voice_id_does_not_exist',
    });
    expect(await later.remove('default', UNLISTED)).toMatchObject({ name: 'Bert' });
  });

  it('lists a voice once that the installation came to list after its adoption', async () => {
    const { directory, open } = await openDirectory();
    await directory.adopt('default', BERT, 'Bert', NO_VOICE_LIMITS);
    const { modelFile, speaker, language } = VOICES.find(UNLISTED);
    const later = open(
      new VoiceCatalog(
        [{ id: modelFile, languageCode: 'en_US', phonemeLanguage: 'en-us', speakers: 904 }],
        [{ modelFile, speaker, name: 'Theo', gender: null, description: null, language }],
      ),
    );
    expect((await later.list('default')).map(({ name }) => name)).toEqual(['Bert']);
    expect((await later.list('other')).map(({ name }) => name)).toEqual(['Theo']);
  });
});
