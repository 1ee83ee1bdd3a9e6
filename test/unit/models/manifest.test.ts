import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isNpmSource, placeOf, readManifest } from '../../../models/setup/manifest.mjs';
import { temporaryFolder } from './temporary-folder.ts';

const modelsFolder = path.resolve(import.meta.dirname, '../../../models');
const voices = await readManifest(modelsFolder);
const files = voices.flatMap((voice) => voice.files);

describe('models/manifest.json', () => {
  it('has unique ids and paths', () => {
    const ids = voices.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(files.map((file) => file.path)).size).toBe(files.length);
  });

  it.each(voices.map((voice) => [voice.id, voice] as const))(
    'describes %s in full',
    (id, voice) => {
      expect(['start', 'behind', 'test', 'optional']).toContain(voice.purpose);
      expect(voice.languages.length).toBeGreaterThan(0);
      for (const language of voice.languages) expect(language).toMatch(/^[a-z]{2}(-[A-Z]{2})?$/);
      expect([16_000, 22_050, 24_000]).toContain(voice.sampleRate);
      expect(Number.isInteger(voice.speakers)).toBe(true);
      expect(voice.licence).not.toBe('');
      expect(voice.attribution).not.toBe('');
      for (const file of voice.files) expect(path.posix.dirname(file.path)).toBe(id);
    },
  );

  it.each(files.map((file) => [file.path, file] as const))(
    'says where %s comes from',
    (_, file) => {
      expect(file.sources.length).toBeGreaterThan(0);
      expect(placeOf(modelsFolder, file).startsWith(modelsFolder + path.sep)).toBe(true);
      expect(file.sha256).toMatch(/^[0-9a-f]{64}$/);
      for (const source of file.sources) {
        if (isNpmSource(source)) {
          expect(source.npm).toMatch(/^(@[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/);
          expect(source.integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
          for (const member of source.members ?? [source.member]) {
            expect(member).toMatch(/^package\//);
          }
        } else {
          expect(new URL(source.url).protocol).toBe('https:');
        }
      }
    },
  );

  it('pins size and hash of everything that start-up and tests fetch', () => {
    const needed = voices.filter(({ purpose }) => purpose !== 'optional').flatMap((v) => v.files);
    expect(needed.length).toBeGreaterThan(0);
    for (const file of needed) {
      expect(file.size).toBeGreaterThan(0);
      expect(file.sha256).not.toBeNull();
      expect(isNpmSource(file.sources[0] ?? { url: '' })).toBe(true);
    }
  });

  it('has a second source for everything that start-up waits for', () => {
    for (const file of voices
      .filter(({ purpose }) => purpose === 'start')
      .flatMap((v) => v.files)) {
      expect(file.sources.map(isNpmSource)).toEqual([true, false]);
    }
  });

  it('offers one pack at most for a language, beside the starting voices', () => {
    const spoken = voices.filter(({ speakers, purpose }) => speakers > 0 && purpose !== 'behind');
    const languages = spoken.flatMap((voice) => voice.languages.map((tag) => tag.slice(0, 2)));
    expect(new Set(languages).size).toBe(languages.length);
    expect(languages.length).toBeGreaterThanOrEqual(15);
  });
});

describe('the tracked voice configurations', () => {
  it.each([
    ['en_US-libritts_r-medium', 'en-us', 159],
    ['pt_BR-faber-medium', 'pt-br', 152],
  ])('%s follows the schema of Piper', async (id, espeakVoice, symbols) => {
    const text = await readFile(path.join(modelsFolder, id, `${id}.onnx.json`), 'utf8');
    const config = JSON.parse(text);
    const voice = voices.find((candidate) => candidate.id === id);
    expect(config.audio.sample_rate).toBe(voice?.sampleRate);
    expect(config.num_speakers).toBe(voice?.speakers);
    expect(config.language.code.replace('_', '-')).toBe(voice?.languages[0]);
    expect(config.espeak.voice).toBe(espeakVoice);
    const ids = Object.values<number[]>(config.phoneme_id_map);
    expect(ids).toHaveLength(symbols);
    expect(ids.every(([first]) => first !== undefined && first < config.num_symbols)).toBe(true);
    expect(config.phoneme_id_map).toMatchObject({
      _: [0],
      '^': [1],
      $: [2],
      ' ': [3],
    });
  });
});

describe('placeOf', () => {
  it.each(['../x', '/etc/x', 'a/../../x', '.', ''])('refuses "%s"', (place) => {
    const file = { path: place, size: null, sha256: '0'.repeat(64), sources: [] };
    expect(() => placeOf(modelsFolder, file)).toThrow('outside models/');
  });
});

describe('readManifest', () => {
  it('refuses a file whose content nobody has vouched for', async () => {
    await using folder = await temporaryFolder();
    for (const sha256 of [null, undefined, 'abc']) {
      const files = [{ path: 'a/a.onnx', size: 1, sha256, sources: [{ url: 'https://a' }] }];
      const manifest = { voices: [{ id: 'a', files }] };
      await writeFile(path.join(folder.path, 'manifest.json'), JSON.stringify(manifest));
      await expect(readManifest(folder.path)).rejects.toThrow(/no sha256 of "a\/a\.onnx"/);
    }
  });

  it('names the voices of Piper by a revision that cannot change', () => {
    const urls = files.flatMap(({ sources }) =>
      sources.flatMap((source) => (isNpmSource(source) ? [] : [source.url])),
    );
    const piper = urls.filter((url) => url.includes('/rhasspy/piper-voices/'));
    expect(piper.length).toBeGreaterThan(20);
    for (const url of piper) expect(url).toMatch(/\/resolve\/[0-9a-f]{40}\//);
  });
});
