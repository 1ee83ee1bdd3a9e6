import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseOutputFormat } from '../../../../src/domain/audio.ts';
import { analyseRecording } from '../../../../src/synthesis/audio/recording-analysis.ts';
import { wavFile } from '../../../../src/synthesis/audio/wav.ts';
import { toneRecording, uploadedFile } from '../../../support/recordings.ts';

/** A chunk of a RIFF file that readers must skip. */
function chunk(tag: string, content: Uint8Array): Buffer {
  const head = Buffer.from(`${tag}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** The file with other chunks before its audio. */
function withChunks(file: Buffer, chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([file.subarray(0, 36), ...chunks, file.subarray(36)]);
}

describe('analyseRecording', () => {
  it.each([
    [8_000, 3_000, 0.5],
    [16_000, 1_234, 0.25],
    [44_100, 10_000, 1],
  ])('measures a tone at %i Hz of %i ms', async (sampleRate, durationMs, amplitude) => {
    const analysis = await analyseRecording(
      uploadedFile(toneRecording(durationMs, amplitude, sampleRate)),
    );
    expect(analysis).toMatchObject({ sampleRate, durationMs });
    // A sine's root mean square is 3.01 dB below its amplitude.
    expect(analysis.levelDbfs).toBeCloseTo(20 * Math.log10(amplitude) - 3.01, 1);
  });

  it('averages channels, whatever the slices', async () => {
    const stereo = toneRecording(3_000);
    stereo.writeUInt16LE(2, 22);
    stereo.writeUInt16LE(4, 32);
    expect(await analyseRecording(uploadedFile(stereo))).toMatchObject({ durationMs: 1_500 });
  });

  it('reads past other chunks, and what comes after the audio', async () => {
    const plain = toneRecording(3_000);
    const list = chunk('LIST', Buffer.alloc(40_001, 'x'));
    const dressed = Buffer.concat([withChunks(plain, [list, list]), chunk('id3 ', list)]);
    expect(await analyseRecording(uploadedFile(dressed))).toEqual(
      await analyseRecording(uploadedFile(plain)),
    );
  });

  it('takes a file that promises more than there is as it is', async () => {
    const streamed = toneRecording(3_000);
    streamed.writeUInt32LE(0xffff_ffff, 40);
    expect(await analyseRecording(uploadedFile(streamed))).toMatchObject({ durationMs: 3_000 });
  });

  it('hears nothing in silence, and nothing in no audio', async () => {
    expect(await analyseRecording(uploadedFile(toneRecording(2_000, 0)))).toMatchObject({
      levelDbfs: -120,
    });
    const empty = wavFile(parseOutputFormat('pcm_16000'), new Uint8Array(0));
    expect(await analyseRecording(uploadedFile(empty))).toEqual({
      durationMs: 0,
      sampleRate: 16_000,
      levelDbfs: -120,
    });
  });

  it('is not kept busy by a million empty chunks', async () => {
    const chunks = Array.from({ length: 1_001 }, () => chunk('junk', new Uint8Array(0)));
    await expect(
      analyseRecording(uploadedFile(withChunks(toneRecording(), chunks))),
    ).rejects.toMatchObject({
      code: 'invalid_input_message',
    });
  });

  it('never fails but with the reason, whatever the file', async () => {
    const good = toneRecording(1_500);
    const damage = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 255 })), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(damage, fc.nat({ max: 200 }), async (changes, cut) => {
        const file = Buffer.from(cut < 100 ? good.subarray(0, cut) : good);
        for (const [index, value] of changes) if (index < file.length) file[index] = value;
        try {
          expect((await analyseRecording(uploadedFile(file))).durationMs).toBeGreaterThanOrEqual(0);
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: 'invalid_input_message' });
        }
      }),
    );
  });
});
