import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readVoiceCatalog } from '../../../../src/service/voices/read-voice-catalog.ts';
import { voiceIdOf } from '../../../../src/service/voices/voice-id.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

const MODELS = fileURLToPath(new URL('../../../../models', import.meta.url));
const LIBRITTS = found('en_US-libritts_r-medium', 'en_US', 904);
const OWN = found('en_GB-my_own-medium', 'en_GB', 1);

function found(id: string, code: string, speakers: number) {
  return { id, config: { espeakVoice: 'en-us', language: { code }, speakers } };
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
