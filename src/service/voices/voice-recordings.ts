import { randomUUID, webcrypto } from 'node:crypto';
import type { RecordingAnalysis, VoiceSample } from '../../domain/account-voice.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { VoiceChange } from '../storage/voice-store.ts';
import { recordingKind } from './recording-kind.ts';
import type { VoiceDirectory } from './voice-directory.ts';
import { newVoiceId } from './voice-id.ts';

/** As many as one voice may have. */
export const MAX_SAMPLES = 25;
/** Shorter than this, nobody's voice can be told. */
const MIN_DURATION_MS = 1000;
const MIN_SAMPLE_RATE = 8000;
const MAX_SAMPLE_RATE = 192_000;
/** Quieter than the noise of a telephone line. */
const MIN_LEVEL_DBFS = -60;

/** A file as it was sent. */
export interface Recording {
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** What a caller says about a voice to be made of recordings. */
export interface NewVoice {
  readonly name: string;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly recordings: readonly Recording[];
  readonly removeBackgroundNoise: boolean;
}

/** Where recordings are kept. */
export interface RecordingStore {
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

export interface VoiceRecordingsOptions {
  readonly directory: VoiceDirectory;
  readonly blobs: RecordingStore;
  /** @throws SpeechError `invalid_input_message` for a WAV file that cannot be read. */
  readonly analyse: (file: Uint8Array) => RecordingAnalysis | Promise<RecordingAnalysis>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Takes the recordings that voices are to be made of. */
export class VoiceRecordings {
  readonly #directory: VoiceDirectory;
  readonly #blobs: RecordingStore;
  readonly #analyse: VoiceRecordingsOptions['analyse'];
  readonly #now: () => number;

  constructor({ directory, blobs, analyse, now }: VoiceRecordingsOptions) {
    this.#directory = directory;
    this.#blobs = blobs;
    this.#analyse = analyse;
    this.#now = now;
  }

  /**
   * Stores a voice that cannot speak yet.
   *
   * @returns its id.
   * @throws SpeechError `invalid_input_message` that names the recording which is no good.
   */
  async create(accountId: string, given: NewVoice): Promise<string> {
    const { name, description, labels, recordings, removeBackgroundNoise } = given;
    const voiceId = newVoiceId();
    await this.#stored(recordings, removeBackgroundNoise, async (samples) => {
      const createdAtMs = this.#now();
      const voice = { accountId, voiceId, name, description, labels, createdAtMs, samples };
      await this.#directory.add({ ...voice, origin: 'recordings' });
    });
    return voiceId;
  }

  /**
   * Changes a voice of the account's own, and adds recordings to it.
   *
   * @throws SpeechError `voice_id_does_not_exist`, `missing_permissions`, `invalid_input_message`.
   */
  async change(
    accountId: string,
    voiceId: string,
    change: Omit<VoiceChange, 'addedSamples'>,
    recordings: readonly Recording[],
    removeBackgroundNoise: boolean,
  ): Promise<void> {
    if (recordings.length > 0) await this.#assertRoom(accountId, voiceId, recordings.length);
    await this.#stored(recordings, removeBackgroundNoise, (addedSamples) =>
      this.#directory.change(accountId, voiceId, { ...change, addedSamples }),
    );
  }

  /**
   * Removes a voice of the account's own, with its recordings.
   *
   * @throws SpeechError `voice_id_does_not_exist`, `missing_permissions`.
   */
  async remove(accountId: string, voiceId: string): Promise<void> {
    const { samples } = await this.#directory.remove(accountId, voiceId);
    await this.#discard(samples);
  }

  async #assertRoom(accountId: string, voiceId: string, added: number): Promise<void> {
    const { own, name } = await this.#directory.describe(accountId, voiceId);
    if (own?.origin === 'library') {
      throw refusal(`The voice "${name}" is of the library and takes no recordings.`);
    }
    if ((own?.samples.length ?? 0) + added > MAX_SAMPLES) {
      throw refusal(`A voice can have ${MAX_SAMPLES} recordings.`);
    }
  }

  /** Looks at every recording before it stores any, and leaves none behind when the record fails. */
  async #stored(
    recordings: readonly Recording[],
    removeBackgroundNoise: boolean,
    record: (samples: readonly VoiceSample[]) => Promise<void>,
  ): Promise<void> {
    const samples: VoiceSample[] = [];
    for (const recording of recordings) {
      const analysis = await this.#checked(recording);
      samples.push({ ...(await sampleOf(recording)), ...analysis, removeBackgroundNoise });
    }
    try {
      for (const [index, { blobKey }] of samples.entries()) {
        await this.#blobs.put(blobKey, contentOf(recordings[index]));
      }
      await record(samples);
    } catch (thrown) {
      await this.#discard(samples);
      throw thrown;
    }
  }

  async #checked({ fileName, bytes }: Recording): Promise<RecordingAnalysis> {
    const kind = recordingKind(bytes);
    if (kind !== 'WAV') {
      const found = kind === undefined ? 'no audio file that is known here' : `${kind}`;
      throw refusal(`"${fileName}" is ${found}: send recordings as WAV.`);
    }
    let analysis: RecordingAnalysis;
    try {
      analysis = await this.#analyse(bytes);
    } catch (thrown) {
      if (!(thrown instanceof SpeechError)) throw thrown;
      throw refusal(`"${fileName}": ${thrown.message}`, thrown);
    }
    const problem = problemOf(analysis);
    if (problem) throw refusal(`"${fileName}" ${problem}`);
    return analysis;
  }

  async #discard(samples: readonly VoiceSample[]): Promise<void> {
    for (const { blobKey } of samples) await this.#blobs.delete(blobKey);
  }
}

function problemOf({ durationMs, sampleRate, levelDbfs }: RecordingAnalysis): string | undefined {
  if (sampleRate < MIN_SAMPLE_RATE || sampleRate > MAX_SAMPLE_RATE) {
    return `has ${sampleRate} samples a second: send ${MIN_SAMPLE_RATE} to ${MAX_SAMPLE_RATE}.`;
  }
  if (durationMs < MIN_DURATION_MS) return 'is shorter than a second: send more speech.';
  return levelDbfs < MIN_LEVEL_DBFS ? 'is silent: check the microphone.' : undefined;
}

async function sampleOf({ fileName, bytes }: Recording) {
  const sampleId = randomUUID();
  // Unlike `createHash`, it leaves the main thread free.
  const digest = await webcrypto.subtle.digest('SHA-256', bytes);
  return {
    sampleId,
    fileName,
    mimeType: 'audio/wav',
    blobKey: `samples/${sampleId}`,
    sizeBytes: bytes.length,
    sha256: Buffer.from(digest).toString('hex'),
  };
}

async function* contentOf(recording: Recording | undefined): AsyncGenerator<Uint8Array> {
  if (recording) yield recording.bytes;
}

function refusal(message: string, cause?: unknown): SpeechError {
  return new SpeechError('invalid_input_message', message, { param: 'files', cause });
}
