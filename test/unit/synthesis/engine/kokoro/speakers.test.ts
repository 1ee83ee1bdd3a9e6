import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  KOKORO_MODEL_FILE,
  KOKORO_SPEAKERS,
} from '../../../../../src/synthesis/engine/kokoro/speakers.ts';
import { KOKORO_IDS } from '../../../../../src/synthesis/engine/kokoro/vocabulary.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../../models/${name}`, import.meta.url), 'utf8'));

interface Row {
  readonly modelFile: string;
  readonly speaker: number;
  readonly language: string;
  readonly phonemeLanguage: string;
  readonly gender: string;
}

describe('Kokoro’s speakers', () => {
  const rows = (read('voices.json') as Row[]).filter((row) => row.modelFile === KOKORO_MODEL_FILE);

  it('are numbered in the order in which their styles are joined', () => {
    const voice = read('manifest.json').voices.find(
      ({ id }: Row & { id: string }) => id === KOKORO_MODEL_FILE,
    );
    const styles = voice.files.find(({ path }: { path: string }) => path.endsWith('styles.bin'));
    const members: readonly string[] = styles.sources[0].members;
    expect(KOKORO_SPEAKERS.map(({ name }) => `package/voices/${name}.bin`)).toEqual(members);
    expect(voice.speakers).toBe(members.length);
  });

  it('are all listed whose language is read, with their own language and gender', () => {
    const readable = KOKORO_SPEAKERS.filter(
      ({ language }) => language !== 'ja' && language !== 'zh',
    );
    expect(rows).toHaveLength(readable.length);
    for (const row of rows) {
      const speaker = KOKORO_SPEAKERS[row.speaker];
      expect(row.language.startsWith(speaker?.language ?? '?')).toBe(true);
      expect(row.gender).toBe(speaker?.name[1] === 'f' ? 'female' : 'male');
    }
  });

  it('read 114 symbols, as published', () => {
    expect(KOKORO_IDS.size).toBe(114);
    expect(new Set(KOKORO_IDS.values()).size).toBe(114);
  });
});
