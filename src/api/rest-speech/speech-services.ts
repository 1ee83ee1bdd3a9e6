import type { FastifyBaseLogger } from 'fastify';
import type { Caller } from '../../domain/account.ts';
import type { OutputFormat } from '../../domain/audio.ts';
import type { DictionaryLocator } from '../../domain/dictionary.ts';
import type { LiveWorkRegistry } from '../../domain/live-work.ts';
import type { Model } from '../../domain/model.ts';
import type { PublishEvent } from '../../domain/service-event.ts';
import type { Voice, VoiceSettings } from '../../domain/voice.ts';
import type { Concurrency, ConcurrencySlot } from '../../service/account/concurrency-limiter.ts';
import type { Speaker } from '../../synthesis/speech/speaker.ts';
import type { SpokenChunk } from '../../synthesis/speech/spoken-chunk.ts';
import type { PronunciationDictionaries } from '../../synthesis/text/front-end.ts';
import type { WireTimestamps } from './timestamps.ts';

/** What speech over REST needs from the rest of the program. */
export interface RestSpeechServices {
  readonly speaker: Speaker;
  /** @throws SpeechError `voice_id_does_not_exist`, `voice_not_prepared`. */
  readonly findVoice: (caller: Caller, voiceId: string) => Promise<StoredVoice>;
  /**
   * The dictionaries that a request names, in its order.
   * @throws SpeechError when the caller has no such dictionary or version.
   */
  readonly findDictionaries: (
    caller: Caller,
    locators: readonly DictionaryLocator[],
  ) => Promise<PronunciationDictionaries>;
  readonly concurrency: ConcurrencyLimit;
  readonly quota: CharacterQuota;
  readonly history: SpeechHistory;
  readonly tell: PublishEvent;
  readonly telemetry: SpeechTelemetry;
  /** Work in progress, which a shutdown lets finish. */
  readonly liveWork: LiveWorkRegistry;
  /** A client that takes no audio for this long is cut; 30 000 unless given. */
  readonly writeDeadlineMs?: number;
}

/** A voice, and the settings that requests without settings of their own get. */
export interface StoredVoice {
  readonly voice: Voice;
  readonly settings: VoiceSettings;
}

/** How many requests of an account may be spoken at once. */
export interface ConcurrencyLimit {
  look(caller: Caller, model: Model): Concurrency;
  /** @throws SpeechError `too_many_concurrent_requests`. */
  acquire(caller: Caller, model: Model): ConcurrencySlot;
}

/** The characters that an account may still have spoken. */
export interface CharacterQuota {
  /**
   * Sets characters aside before the work begins.
   * @throws SpeechError `quota_exceeded`.
   */
  reserve(caller: Caller, characters: number): Promise<CharacterReservation>;
}

/** Ends with one of `settle` and `refund`, called once. */
export interface CharacterReservation {
  /** Notes, before they are handed out, how many characters' speech is delivered: what a crash charges. */
  deliver(characters: number): Promise<void>;
  /** Charges so many of the reserved characters and gives the others back. */
  settle(characters: number): Promise<void>;
  refund(): Promise<void>;
}

/** Where generations are kept. */
export interface SpeechHistory {
  begin(item: HistoryDraft): Promise<HistoryRecording>;
}

/** What is known of a generation when it begins. */
export interface HistoryDraft {
  readonly accountId: string;
  readonly requestId: string;
  readonly voice: Voice;
  readonly model: Model;
  readonly text: string;
  readonly settings: VoiceSettings;
  readonly format: OutputFormat;
}

export interface HistoryRecording {
  readonly historyItemId: string;
  /** Takes audio exactly as the caller gets it, in order. */
  write(audio: Uint8Array): Promise<void>;
  /** The generation is complete. */
  finish(result: HistoryResult): Promise<void>;
  /** The generation came to nothing; what was written is dropped. */
  abandon(): Promise<void>;
}

export interface HistoryResult {
  /** Characters that were charged. */
  readonly characters: number;
  readonly audioMs: number;
  /** When each character was spoken. */
  readonly alignments: WireTimestamps;
}

export interface SpeechTelemetry {
  chunkSpoken(log: FastifyBaseLogger, level: number, chunk: SpokenChunk): void;
}
