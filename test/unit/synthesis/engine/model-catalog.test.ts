import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scanModels } from '../../../../src/synthesis/engine/model-catalog.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

const SETTINGS = JSON.stringify({
  audio: { sample_rate: 16_000 },
  espeak: { voice: 'de' },
  phoneme_id_map: { a: [1] },
});

function modelsDir(files: Readonly<Record<string, string>>): string {
  const directory = temporaryDir();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}

describe('scanning for voices', () => {
  it('finds voices in the folder and in folders of their own', () => {
    const directory = modelsDir({
      'de_DE-b-low.onnx': 'weights',
      'de_DE-b-low.onnx.json': SETTINGS,
      'de_DE-a-low/de_DE-a-low.onnx': 'weights',
      'de_DE-a-low/de_DE-a-low.onnx.json': SETTINGS,
      'recogniser/encoder.onnx': 'no voice',
      'fr_FR-c-low/fr_FR-c-low.onnx.json': SETTINGS,
      '.cache/stages/text.onnx': 'no voice',
      'README.md': 'no voice',
    });
    const { models, problems } = scanModels(directory);
    expect(models.map(({ id }) => id)).toEqual(['de_DE-a-low', 'de_DE-b-low']);
    expect(models[1]?.modelPath).toBe(join(directory, 'de_DE-b-low.onnx'));
    expect(models[0]?.config.sampleRate).toBe(16_000);
    expect(problems).toEqual([]);
  });

  it('reports a voice without usable settings, and goes on', () => {
    const directory = modelsDir({
      'bare.onnx': 'weights',
      'broken.onnx': 'weights',
      'broken.onnx.json': '{"audio":',
      'strange.onnx': 'weights',
      'strange.onnx.json': '{"audio":{"sample_rate":-1}}',
      'whole.onnx': 'weights',
      'whole.onnx.json': SETTINGS,
    });
    const { models, problems } = scanModels(directory);
    expect(models.map(({ id }) => id)).toEqual(['whole']);
    expect(problems.map(({ path }) => path).sort()).toEqual(
      ['bare', 'broken', 'strange'].map((name) => join(directory, `${name}.onnx`)),
    );
    expect(problems.map(({ message }) => message).join('\n')).toContain(
      'bare.onnx.json is missing',
    );
  });

  it('takes the first of two voices with one name, and reports the other', () => {
    const directory = modelsDir({
      'twin.onnx': 'weights',
      'twin.onnx.json': SETTINGS,
      'twin/twin.onnx': 'weights',
      'twin/twin.onnx.json': SETTINGS,
    });
    const { models, problems } = scanModels(directory);
    expect(models).toHaveLength(1);
    expect(problems).toHaveLength(1);
  });

  it('finds nothing in a folder that is not there', () => {
    expect(scanModels('/nowhere/at/all')).toEqual({ models: [], problems: [] });
  });
});
