import { createHash } from 'node:crypto';
import { parseOutputFormat } from '../../src/domain/audio.ts';
import type { UploadedFile } from '../../src/domain/uploaded-file.ts';
import { wavFile } from '../../src/synthesis/audio/wav.ts';

/**
 * A WAV file of a tone.
 *
 * @param amplitude 0…1; the level is 3 dB below it.
 */
export function toneRecording(durationMs = 1500, amplitude = 0.5, sampleRate = 16_000): Buffer {
  const samples = Math.round((durationMs / 1000) * sampleRate);
  const pcm = Buffer.alloc(2 * samples);
  for (let index = 0; index < samples; index++) {
    const value = amplitude * Math.sin((2 * Math.PI * 440 * index) / sampleRate);
    pcm.writeInt16LE(Math.round(value * 32_767), 2 * index);
  }
  return Buffer.from(wavFile(parseOutputFormat(`pcm_${sampleRate}`), pcm));
}

/** A file as it is once it has been uploaded; this one lies in memory. */
export function uploadedFile(bytes: Uint8Array, fileName = 'a.wav'): UploadedFile {
  return {
    fileName,
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    read: async (position, lengthBytes) => bytes.subarray(position, position + lengthBytes),
  };
}
