import type { Caller } from '../../domain/account.ts';
import type { CarrierName } from '../../domain/carrier.ts';
import type { DictionaryLocator } from '../../domain/dictionary.ts';
import type { SpeechError } from '../../domain/errors.ts';
import type { LiveWorkRegistry } from '../../domain/live-work.ts';
import type { Model } from '../../domain/model.ts';
import type { PublishEvent } from '../../domain/service-event.ts';
import type { Voice, VoiceSettings } from '../../domain/voice.ts';
import type { ChunkMeter, Speaker, SpeechStyle } from '../../synthesis/speech/speaker.ts';
import type { CutChunk, SpokenChunk } from '../../synthesis/speech/spoken-chunk.ts';
import type { VoiceActivity } from '../voice-activity/voice-activity.ts';
import type { CallClock } from './call-clock.ts';
import type { Bot, BotHold, CallRecord, EndReason } from './call-messages.ts';
import type { Line } from './line.ts';

/** A logger that carries the ids of the call and its line. Never told what is said on it. */
export interface CallLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** How a call went. */
export interface CallOutcome {
  readonly carrier: CarrierName;
  readonly reason: EndReason;
  readonly durationMs: number;
  /** Characters that were charged. */
  readonly characters: number;
}

/** Where the events of calls are told. */
export interface CallObserver {
  callStarted(log: CallLogger, carrier: CarrierName): void;
  /** Once for each call that started. */
  callEnded(log: CallLogger, outcome: CallOutcome, error: SpeechError | undefined): void;
  /** A carrier's stream that never became a call. */
  callRefused(log: CallLogger, carrier: CarrierName, error: SpeechError | undefined): void;
  chunkSpoken(log: CallLogger, level: number, chunk: SpokenChunk): void;
  chunkCut(log: CallLogger, level: number, chunk: CutChunk): void;
}

/**
 * Told of each new call, so that a bot that is dialled or built in can take it. `attach` throws
 * `call_taken` when another bot was quicker.
 */
export type AnswerCall = (call: CallRecord, line: Line, attach: (bot: Bot) => BotHold) => void;

export interface FoundVoice {
  readonly voice: Voice;
  /** What the account has stored for it. */
  readonly settings: VoiceSettings;
}

/** What calls need of the rest of the server. */
export interface CallServices {
  readonly speaker: Speaker;
  /** @throws SpeechError `voice_id_does_not_exist`, `voice_not_prepared`. */
  readonly findVoice: (caller: Caller, voiceId: string | undefined) => Promise<FoundVoice>;
  readonly findDictionaries: (
    caller: Caller,
    locators: readonly DictionaryLocator[],
  ) => SpeechStyle['dictionaries'];
  /**
   * Looks again whether the key that pays for a call still holds.
   * @throws SpeechError `invalid_api_key`, `missing_permissions` once it does not.
   */
  readonly confirm: (caller: Caller) => Promise<unknown>;
  readonly openMeter: (caller: Caller, model: Model) => ChunkMeter;
  /**
   * Whether one more call can be spoken on, besides those of the accounts named.
   * @throws SpeechError `system_busy`.
   */
  readonly assertRoom: (accountId: string, callsOf: readonly string[]) => void;
  readonly telemetry: CallObserver;
  readonly openLog: (ids: { readonly callId: string; readonly lineId: string }) => CallLogger;
  readonly tell: PublishEvent;
  /** Keeps the streams there are, for a shutdown. */
  readonly liveCalls: LiveWorkRegistry;
  readonly answer: AnswerCall;
  /** Absent where its model is missing: then no voice interrupts. */
  readonly voiceActivity: VoiceActivity | undefined;
  /** The system's, unless given. */
  readonly clock?: CallClock;
}
