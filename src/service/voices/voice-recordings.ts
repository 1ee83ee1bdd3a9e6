import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { RecordingAnalysis, VoiceSample } from '../../domain/account-voice.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { UploadedFile } from '../../domain/uploaded-file.ts';
import type { VoiceChange, VoiceLimits } from '../storage/voice-store.ts';
import { recordingKind } from './recording-kind.ts';
import type { VoiceDirectory } from './voice-directory.ts';
import { newVoiceId } from './voice-id.ts';

/** Shorter than this, nobody's voice can be told. */
const MIN_DURATION_MS = 1000;
const MIN_SAMPLE_RATE = 8000;
const MAX_SAMPLE_RATE = 192_000;
/** Quieter than the noise of a telephone line. */
const MIN_LEVEL_DBFS = -60;

/** What is in memory of a recording while it is stored. */
const PIECE_BYTES = 64 * 1024;
const MAX_KIND_BYTES = 16;

/** What a caller says about a voice to be made of recordings. */
export interface NewVoice {
  readonly name: string;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly recordings: readonly UploadedFile[];
  readonly removeBackgroundNoise: boolean;
}

/** Where recordings are kept. */
export interface RecordingStore {
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<unknown>;
  get(key: string): Promise<Readable | undefined>;
  delete(key: string): Promise<unknown>;
}

/** A recording, to be heard again. */
export interface OpenedSample {
  readonly sample: VoiceSample;
  readonly audio: Readable;
}

export interface VoiceRecordingsOptions {
  readonly directory: VoiceDirectory;
  readonly blobs: RecordingStore;
  /** @throws SpeechError `invalid_input_message` for a WAV file that cannot be read. */
  readonly analyse: (file: UploadedFile) => Promise<RecordingAnalysis>;
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
   * @throws SpeechError `voice_limit_reached`, `account_limit_reached`; `invalid_input_message` that
   *   names the recording which is no good.
   */
  async create(accountId: string, given: NewVoice, limits: VoiceLimits): Promise<string> {
    const { name, description, labels, recordings, removeBackgroundNoise } = given;
    const voiceId = newVoiceId();
    await this.#stored(recordings, removeBackgroundNoise, async (samples) => {
      const createdAtMs = this.#now();
      const voice = { accountId, voiceId, name, description, labels, createdAtMs, samples };
      await this.#directory.add({ ...voice, origin: 'recordings' }, limits);
    });
    return voiceId;
  }

  /**
   * Changes a voice of the account's own, and adds recordings to it.
   *
   * @throws SpeechError `voice_id_does_not_exist`, `missing_permissions`, `account_limit_reached`,
   *   `invalid_input_message`.
   */
  async change(
    accountId: string,
    voiceId: string,
    change: Omit<VoiceChange, 'addedSamples'>,
    { recordings, removeBackgroundNoise }: Pick<NewVoice, 'recordings' | 'removeBackgroundNoise'>,
    limits: VoiceLimits,
  ): Promise<void> {
    if (recordings.length > 0) await this.#assertTakesRecordings(accountId, voiceId);
    await this.#stored(recordings, removeBackgroundNoise, (addedSamples) =>
      this.#directory.change(accountId, voiceId, { ...change, addedSamples }, limits),
    );
  }

  /**
   * A recording of a voice of the account's own, as it was uploaded.
   *
   * @throws SpeechError `voice_id_does_not_exist`; `not_found` for a recording that is not there.
   */
  async openSample(accountId: string, voiceId: string, sampleId: string): Promise<OpenedSample> {
    const { own } = await this.#directory.describe(accountId, voiceId);
    const sample = own?.samples.find((known) => known.sampleId === sampleId);
    const audio = sample && (await this.#blobs.get(sample.blobKey));
    if (audio) return { sample, audio };
    throw new SpeechError(
      'not_found',
      `The voice "${voiceId}" has no recording "${sampleId}": GET /v1/voices/${voiceId} lists its samples.`,
      { param: 'sample_id' },
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

  async #assertTakesRecordings(accountId: string, voiceId: string): Promise<void> {
    const { own, name } = await this.#directory.describe(accountId, voiceId);
    if (own?.origin === 'library') {
      throw refusal(`The voice "${name}" is of the library and takes no recordings.`);
    }
  }

  /** Looks at every recording before it stores any, and leaves none behind when the record fails. */
  async #stored(
    recordings: readonly UploadedFile[],
    removeBackgroundNoise: boolean,
    record: (samples: readonly VoiceSample[]) => Promise<void>,
  ): Promise<void> {
    const samples: VoiceSample[] = [];
    for (const recording of recordings) {
      const analysis = await this.#checked(recording);
      samples.push({ ...sampleOf(recording), ...analysis, removeBackgroundNoise });
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

  async #checked(recording: UploadedFile): Promise<RecordingAnalysis> {
    const { fileName } = recording;
    const kind = recordingKind(await recording.read(0, MAX_KIND_BYTES));
    if (kind !== 'WAV') {
      const found = kind === undefined ? 'no audio file that is known here' : `${kind}`;
      throw refusal(`"${fileName}" is ${found}: send recordings as WAV.`);
    }
    let analysis: RecordingAnalysis;
    try {
      analysis = await this.#analyse(recording);
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

function sampleOf({ fileName, sizeBytes, sha256 }: UploadedFile) {
  const sampleId = randomUUID();
  const blobKey = `samples/${sampleId}`;
  return { sampleId, fileName, mimeType: 'audio/wav', blobKey, sizeBytes, sha256 };
}

async function* contentOf(recording: UploadedFile | undefined): AsyncGenerator<Uint8Array> {
  if (!recording) return;
  for (let position = 0; position < recording.sizeBytes; position += PIECE_BYTES) {
    yield await recording.read(position, PIECE_BYTES);
  }
}

function refusal(message: string, cause?: unknown): SpeechError {
  return new SpeechError('invalid_input_message', message, { param: 'files', cause });
}
