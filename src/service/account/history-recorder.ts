import type { HistorySource } from '../../domain/history-item.ts';
import type { VoiceSettings } from '../../domain/voice.ts';
import { AudioRecording, RecordingAbandoned, type RecordingResult } from './audio-recording.ts';
import { audioKey, type HistoryStorage } from './history.ts';
import { newHistoryItemId } from './history-item-id.ts';
import { settledWithin } from './settled-within.ts';

/** What is not stored by then is lost: storage hangs. */
const CLOSE_PATIENCE_MS = 5000;

/** What is known of a generation when it begins. */
export interface HistoryDraft {
  readonly accountId: string;
  readonly requestId: string;
  readonly voice: {
    readonly voiceId: string;
    readonly name: string;
    /** `premade` unless given. */
    readonly category?: string;
  };
  readonly model: { readonly modelId: string };
  readonly text: string;
  readonly settings: VoiceSettings;
  readonly format: { readonly name: string; readonly contentType: string };
  /** Text-to-speech unless given. */
  readonly source?: HistorySource;
}

export interface HistoryRecorderOptions {
  readonly storage: HistoryStorage;
  /** Characters that an account has used, what was just charged included. */
  readonly charactersUsed: (accountId: string) => Promise<number>;
  /** Knows how much of the disk is free. */
  readonly freeSpace: {
    /** @throws SpeechError `insufficient_storage` when so many bytes more would reach into the reserve. */
    assertRoomFor(bytes: number): Promise<void>;
  };
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Hears of each generation that was stored. */
  readonly kept: () => void;
  /** Hears of each generation that was spoken but could not be kept. */
  readonly lost: (historyItemId: string, cause: unknown) => void;
}

/**
 * Keeps generations while they are spoken. The item is written hidden as soon as the audio has come
 * to its end, then the audio appears, then the item: a crash leaves no half item for anybody to see,
 * and what it leaves hidden `HistorySweeper` removes.
 */
export class HistoryRecorder {
  readonly #options: HistoryRecorderOptions;
  readonly #running = new Set<Promise<void>>();

  constructor(options: HistoryRecorderOptions) {
    this.#options = options;
  }

  /** A recording to write to; it fails silently for the caller. */
  async begin(draft: HistoryDraft): Promise<AudioRecording> {
    const createdAtMs = this.#options.now();
    const store = async (recording: AudioRecording) => {
      const storing = this.#store(recording, draft, createdAtMs);
      this.#running.add(storing);
      await storing;
      this.#running.delete(storing);
    };
    return new AudioRecording(newHistoryItemId(createdAtMs), store);
  }

  /** Waits until everything that is finished is stored; recordings that go on must end first. */
  async close(): Promise<void> {
    await settledWithin(Promise.all(this.#running), CLOSE_PATIENCE_MS);
  }

  async #store(recording: AudioRecording, draft: HistoryDraft, createdAtMs: number): Promise<void> {
    const { storage, freeSpace, kept, lost } = this.#options;
    const { historyItemId } = recording;
    try {
      await freeSpace.assertRoomFor(0);
      const content = this.#contentOf(recording, draft, createdAtMs);
      await storage.blobs.put(audioKey(historyItemId), content);
      await storage.history.show(historyItemId);
      kept();
    } catch (thrown) {
      if (!(thrown instanceof RecordingAbandoned)) lost(historyItemId, thrown);
    }
  }

  /** The audio; its end is held back until the hidden item is stored. */
  async *#contentOf(
    recording: AudioRecording,
    draft: HistoryDraft,
    createdAtMs: number,
  ): AsyncGenerator<Uint8Array> {
    const result = yield* recording.audio();
    await this.#addHidden(recording, draft, createdAtMs, result);
  }

  async #addHidden(
    { historyItemId, writtenBytes }: AudioRecording,
    draft: HistoryDraft,
    createdAtMs: number,
    { characters, alignments }: RecordingResult,
  ): Promise<void> {
    const { storage, charactersUsed, now } = this.#options;
    const used = await charactersUsed(draft.accountId);
    const item = {
      historyItemId,
      accountId: draft.accountId,
      requestId: draft.requestId,
      voiceId: draft.voice.voiceId,
      voiceName: draft.voice.name,
      voiceCategory: draft.voice.category ?? 'premade',
      modelId: draft.model.modelId,
      text: draft.text,
      createdAtMs,
      charactersBefore: Math.max(0, used - characters),
      charactersAfter: used,
      contentType: draft.format.contentType,
      outputFormat: draft.format.name,
      settings: draft.settings,
      source: draft.source ?? 'TTS',
      alignments,
      audioBytes: writtenBytes,
    };
    await storage.history.add(item, now());
  }
}
