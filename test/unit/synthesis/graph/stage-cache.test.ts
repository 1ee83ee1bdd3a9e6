import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cutVoice } from '../../../../src/synthesis/graph/stage-cache.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

const VOICE = 'pt_BR-faber-medium';
const source = fileURLToPath(new URL(`../../../../models/${VOICE}/${VOICE}.onnx`, import.meta.url));

function copyOfVoice(): string {
  const path = join(temporaryDir(), `${VOICE}.onnx`);
  copyFileSync(source, path);
  return path;
}

describe('cutting a voice once', () => {
  it('keeps the stages under the hash of the voice', () => {
    const folder = temporaryDir();
    const { directory, facts } = cutVoice(source, [folder]);
    expect(directory).toMatch(/858555e3a064209c57088fe6bd70c4c3dc54d03eaa00c45d5ecaf43a33f95aa7$/);
    expect(readdirSync(directory).sort()).toEqual([
      'decoder.onnx',
      'flow.onnx',
      'stages.json',
      'text.onnx',
    ]);
    expect(facts.hopLength).toBe(256);
    expect(cutVoice(source, [folder])).toEqual({ directory, facts });
  });

  it('reads the voice once, as long as its size and date stay', () => {
    const [folder, path] = [temporaryDir(), copyOfVoice()];
    const published = new Date('2024-01-01');
    utimesSync(path, published, published);
    const cut = cutVoice(path, [folder]);
    writeFileSync(path, Buffer.alloc(statSync(path).size));
    utimesSync(path, published, published);
    expect(cutVoice(path, [folder])).toEqual(cut);
    utimesSync(path, published, new Date('2024-01-02'));
    expect(() => cutVoice(path, [folder])).toThrow('damaged');
  });

  it('cuts again when a stage is not whole', () => {
    const folder = temporaryDir();
    const { directory } = cutVoice(source, [folder]);
    const whole = readFileSync(join(directory, 'flow.onnx'));
    truncateSync(join(directory, 'flow.onnx'), 1_000);
    cutVoice(source, [folder]);
    expect(readFileSync(join(directory, 'flow.onnx')).equals(whole)).toBe(true);
    expect(readdirSync(join(directory, '..')).filter((name) => name.startsWith('cutting'))).toEqual(
      [],
    );
  });

  it('uses the next folder when the first cannot be written', () => {
    const file = join(temporaryDir(), 'file');
    writeFileSync(file, '');
    const second = temporaryDir();
    const cut = cutVoice(source, [join(file, 'below'), second]);
    expect(cut.directory.startsWith(second)).toBe(true);
    expect(cutVoice(source, [join(file, 'below'), second])).toEqual(cut);
  });

  it('says so when no folder can be written', () => {
    const file = join(temporaryDir(), 'file');
    writeFileSync(file, '');
    expect(() => cutVoice(source, [join(file, 'below')])).toThrow(
      expect.objectContaining({ code: 'voice_not_ready' }),
    );
  });

  it.each([
    ['is missing', (path: string) => join(path, '..', `gone`, `${VOICE}.onnx`)],
    [
      'is damaged',
      (path: string) => {
        truncateSync(path, 5_000_000);
        return path;
      },
    ],
    [
      'is damaged',
      (path: string) => {
        writeFileSync(path, '<html>not found</html>');
        return path;
      },
    ],
    [
      'cannot be read',
      (path: string) => {
        const folder = join(path, '..', 'folder.onnx');
        mkdirSync(folder);
        return folder;
      },
    ],
  ])('names a voice file that %s, and what to do', (fault, spoil) => {
    const path = spoil(copyOfVoice());
    expect(() => cutVoice(path, [temporaryDir()])).toThrow(
      expect.objectContaining({
        code: 'voice_file_corrupt',
        message: expect.stringMatching(`\\.onnx ${fault}.*node models/setup.mjs fetch`),
      }),
    );
  });
});
