import { randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { VoiceDirectory } from '../../../../src/service/voices/voice-directory.ts';
import { VoiceRecordings } from '../../../../src/service/voices/voice-recordings.ts';
import { analyseRecording } from '../../../../src/synthesis/audio/recording-analysis.ts';
import { toneRecording, uploadedFile } from '../../../support/recordings.ts';
import { openStorageHere } from '../../../support/storage-here.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';
import { ADA, UNLISTED, VOICES } from '../../api/resources/api-harness.ts';

const LIMITS = { voices: 2, samples: 25, sampleBytes: 2_000_000 };

async function openRecordings() {
  const storage = await openStorageHere({ dataDir: temporaryDir() });
  onTestFinished(() => storage.close());
  const stored = new Set<string>();
  let failAfter = Number.POSITIVE_INFINITY;
  const blobs = {
    get: (key: string) => storage.blobs.get(key),
    put: async (key: string, content: AsyncIterable<Uint8Array>) => {
      if (stored.size >= failAfter) throw new Error('The disk is full.');
      stored.add(key);
      await storage.blobs.put(key, content);
    },
    delete: async (key: string) => {
      stored.delete(key);
      await storage.blobs.delete(key);
    },
  };
  const directory = new VoiceDirectory({ catalog: VOICES, store: storage.voices, now: () => 5 });
  const recordings = new VoiceRecordings({
    directory,
    blobs,
    analyse: analyseRecording,
    now: () => 7,
  });
  return {
    storage,
    directory,
    recordings,
    stored,
    fillDiskAfter: (count: number) => {
      failAfter = count;
    },
  };
}

function voiceOf(...files: readonly Uint8Array[]) {
  return {
    name: 'Eve',
    description: null,
    labels: { gender: 'female' },
    removeBackgroundNoise: true,
    recordings: files.map((bytes, index) => uploadedFile(bytes, `${index}.wav`)),
  };
}

describe('VoiceRecordings', () => {
  it('stores recordings whole, with what they sound like', async () => {
    const { storage, directory, recordings } = await openRecordings();
    const files = [toneRecording(1_500), toneRecording(2_000, 0.1)];
    const voiceId = await recordings.create('default', voiceOf(...files), LIMITS);
    expect(voiceId).toMatch(/^[0-9A-Za-z]{20}$/);
    const { own } = await directory.describe('default', voiceId);
    expect(own).toMatchObject({ origin: 'recordings', name: 'Eve', createdAtMs: 7 });
    expect(own?.samples).toMatchObject([
      { durationMs: 1_500, sampleRate: 16_000, fileName: '0.wav', removeBackgroundNoise: true },
      { durationMs: 2_000, fileName: '1.wav' },
    ]);
    for (const [index, sample] of (own?.samples ?? []).entries()) {
      const blob = await storage.blobs.get(sample.blobKey);
      expect(Buffer.concat((await blob?.toArray()) ?? [])).toEqual(files[index]);
      expect(sample.sizeBytes).toBe(files[index]?.length);
    }
  });

  it('makes a voice that cannot speak yet, and says so', async () => {
    const { directory, recordings } = await openRecordings();
    const voiceId = await recordings.create('default', voiceOf(toneRecording()), LIMITS);
    await expect(directory.find('default', voiceId)).rejects.toMatchObject({
      code: 'voice_not_prepared',
      message: expect.stringContaining('"Eve"'),
    });
    await expect(directory.find('other', voiceId)).rejects.toMatchObject({
      code: 'voice_id_does_not_exist',
    });
  });

  it.each([
    ['is MP3', Buffer.from('ID3\x04\0\0'), /is MP3: send recordings as WAV/],
    ['is something else', randomBytes(100).fill('x'), /no audio file/],
    ['is a WAV file in name only', Buffer.from('RIFF\0\0\0\0WAVEnothing else'), /"1\.wav".*cannot/],
    ['is too short', toneRecording(900), /shorter than a second/],
    ['is silent', toneRecording(1_500, 0), /silent/],
    ['is of a rate that nothing records at', toneRecordingAt(4_000), /4000 samples/],
  ])('stores nothing when one %s', async (_, file, message) => {
    const { directory, recordings, stored } = await openRecordings();
    await expect(
      recordings.create('default', voiceOf(toneRecording(), file), LIMITS),
    ).rejects.toMatchObject({
      code: 'invalid_input_message',
      param: 'files',
      message: expect.stringMatching(message),
    });
    expect(stored.size).toBe(0);
    expect(await directory.count('default')).toBe(0);
  });

  it('leaves nothing behind when storing fails half-way', async () => {
    const { directory, recordings, stored, fillDiskAfter } = await openRecordings();
    fillDiskAfter(1);
    const voice = voiceOf(toneRecording(), toneRecording());
    await expect(recordings.create('default', voice, LIMITS)).rejects.toThrow('disk is full');
    expect(stored.size).toBe(0);
    expect(await directory.count('default')).toBe(0);
  });

  it('adds recordings up to the number that a voice can have', async () => {
    const { directory, recordings, stored } = await openRecordings();
    const voiceId = await recordings.create('default', voiceOf(toneRecording()), LIMITS);
    const more = voiceOf(...Array.from({ length: 24 }, () => toneRecording(1_000))).recordings;
    await recordings.change(
      'default',
      voiceId,
      { name: 'Eva' },
      { recordings: more, removeBackgroundNoise: false },
      LIMITS,
    );
    expect((await directory.describe('default', voiceId)).own?.samples).toHaveLength(25);
    await expect(
      recordings.change(
        'default',
        voiceId,
        {},
        { recordings: more.slice(0, 1), removeBackgroundNoise: false },
        LIMITS,
      ),
    ).rejects.toMatchObject({ code: 'invalid_input_message' });
    expect(stored.size).toBe(25);
  });

  it('adds none to voices of the library, or of the installation', async () => {
    const { directory, recordings, stored } = await openRecordings();
    await directory.adopt(
      'default',
      { ownerId: UNLISTED.slice(0, 16), voiceId: UNLISTED },
      'Bert',
      LIMITS,
    );
    const files = voiceOf(toneRecording()).recordings;
    await expect(
      recordings.change(
        'default',
        UNLISTED,
        {},
        { recordings: files, removeBackgroundNoise: false },
        LIMITS,
      ),
    ).rejects.toThrow(/library/);
    await expect(
      recordings.change(
        'default',
        ADA,
        {},
        { recordings: files, removeBackgroundNoise: false },
        LIMITS,
      ),
    ).rejects.toMatchObject({
      code: 'missing_permissions',
    });
    expect(stored.size).toBe(0);
  });

  it('removes a voice with its recordings', async () => {
    const { recordings, stored } = await openRecordings();
    const voiceId = await recordings.create(
      'default',
      voiceOf(toneRecording(), toneRecording()),
      LIMITS,
    );
    await expect(recordings.remove('other', voiceId)).rejects.toMatchObject({
      code: 'voice_id_does_not_exist',
    });
    expect(stored.size).toBe(2);
    await recordings.remove('default', voiceId);
    expect(stored.size).toBe(0);
  });
});

/** A second and a half, as the file says. */
function toneRecordingAt(sampleRate: number): Buffer {
  const file = toneRecording(1_500, 0.5, 8_000);
  file.writeUInt32LE(sampleRate, 24);
  return file;
}
