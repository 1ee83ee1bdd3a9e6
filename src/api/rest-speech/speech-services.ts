import type { Caller } from '../../domain/account.ts';
import type { LiveWorkRegistry } from '../../domain/live-work.ts';
import type { Model } from '../../domain/model.ts';
import type { PublishEvent } from '../../domain/service-event.ts';
import type { UsageLabels } from '../../domain/usage.ts';
import type { RecordingResult } from '../../service/account/audio-recording.ts';
import type { Concurrency, ConcurrencySlot } from '../../service/account/concurrency-limiter.ts';
import type { HistoryDraft } from '../../service/account/history-recorder.ts';
import type { SpeechServices } from '../../synthesis/speech/speech-services.ts';

/** What speech over REST needs from the rest of the program. */
export interface RestSpeechServices {
  readonly speech: SpeechServices;
  readonly concurrency: ConcurrencyLimit;
  readonly quota: CharacterQuota;
  readonly history: SpeechHistory;
  readonly tell: PublishEvent;
  /** Work in progress, which a shutdown lets finish. */
  readonly liveWork: LiveWorkRegistry;
  /** A client that takes no audio for this long is cut; 30 000 unless given. */
  readonly writeDeadlineMs?: number;
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
  reserve(caller: Caller, characters: number, labels: UsageLabels): Promise<CharacterReservation>;
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
  begin(draft: HistoryDraft): Promise<HistoryRecording>;
}

export interface HistoryRecording {
  readonly historyItemId: string;
  /** Takes audio exactly as the caller gets it, in order. */
  write(audio: Uint8Array): Promise<void>;
  /** The generation is complete. */
  finish(result: RecordingResult): Promise<void>;
  /** The generation came to nothing; what was written is dropped. */
  abandon(): Promise<void>;
}
