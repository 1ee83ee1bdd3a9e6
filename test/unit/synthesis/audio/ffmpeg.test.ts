import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { OUTPUT_FORMATS, type OutputFormat } from '../../../../src/domain/audio.ts';
import { prepareCodecs } from '../../../../src/synthesis/audio/codec.ts';
import { openEncoder } from '../../../../src/synthesis/audio/encoder.ts';
import { wavFile } from '../../../../src/synthesis/audio/wav.ts';
import { sine, spectrumPeak } from '../../../support/audio-measures.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
if (!hasFfmpeg) console.log('ffmpeg is not installed: its reading of our files is not checked.');

/** Formats whose files say what they are; ffmpeg has to be told about the others. */
const DEMUXERS: Readonly<Record<string, string>> = { pcm: 's16le', ulaw: 'mulaw', alaw: 'alaw' };

function file(format: OutputFormat, dir: string): { path: string; options: string[] } {
  const encoder = openEncoder(format, 22050);
  const encoded = Buffer.concat([encoder.encode(sine(1000, 22050, 22050, 0.5)), encoder.flush()]);
  const path = join(dir, format.name);
  writeFileSync(path, format.isStreamable ? encoded : wavFile(format, encoded));
  const demuxer = format.isStreamable ? DEMUXERS[format.codec] : undefined;
  return {
    path,
    options: demuxer ? ['-f', demuxer, '-ar', `${format.sampleRate}`, '-ac', '1'] : [],
  };
}

describe.skipIf(!hasFfmpeg)('ffmpeg', () => {
  beforeAll(prepareCodecs);

  it.each(OUTPUT_FORMATS)('reads $name without complaint, at its own rate', (format) => {
    const { path, options } = file(format, temporaryDir());
    const raw = execFileSync(
      'ffmpeg',
      ['-v', 'error', '-xerror', ...options, '-i', path, '-f', 'f32le', '-ac', '1', '-'],
      { stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e8 },
    );
    const heard = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
    // It skips mp3's and Opus's delay on its own account; the tone is all that may be left.
    expect(heard.length / format.sampleRate).toBeGreaterThan(0.97);
    expect(heard.length / format.sampleRate).toBeLessThan(1.11);
    const peak = spectrumPeak(heard.subarray(4000, 7000), format.sampleRate, 100);
    expect(peak.frequency).toBe(1000);
  });
});
