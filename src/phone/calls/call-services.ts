import type { CarrierName } from '../../domain/carrier.ts';
import type { SpeechError } from '../../domain/errors.ts';
import type { LiveWorkRegistry } from '../../domain/live-work.ts';
import type { PublishEvent } from '../../domain/service-event.ts';
import type { SpeechLog, SpeechServices } from '../../synthesis/speech/speech-services.ts';
import type { VoiceActivity } from '../voice-activity/voice-activity.ts';
import type { CallClock } from './call-clock.ts';
import type { Bot, BotHold, CallRecord, EndReason } from './call-messages.ts';
import type { Line } from './line.ts';

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
  callStarted(log: SpeechLog, carrier: CarrierName): void;
  /** Once for each call that started. */
  callEnded(log: SpeechLog, outcome: CallOutcome, error: SpeechError | undefined): void;
  /** A carrier's stream that never became a call. */
  callRefused(log: SpeechLog, carrier: CarrierName, error: SpeechError | undefined): void;
}

/**
 * Told of each new call, so that a bot that is dialled or built in can take it. `attach` throws
 * `call_taken` when another bot was quicker.
 */
export type AnswerCall = (call: CallRecord, line: Line, attach: (bot: Bot) => BotHold) => void;

/** What calls need of the rest of the server. */
export interface CallServices {
  readonly speech: SpeechServices;
  /**
   * Whether one more call can be spoken on, besides those of the accounts named.
   * @throws SpeechError `system_busy`.
   */
  readonly assertRoom: (accountId: string, callsOf: readonly string[]) => void;
  readonly telemetry: CallObserver;
  readonly openLog: (ids: { readonly callId: string; readonly lineId: string }) => SpeechLog;
  readonly tell: PublishEvent;
  /** Keeps the streams there are, for a shutdown. */
  readonly liveCalls: LiveWorkRegistry;
  readonly answer: AnswerCall;
  /** Absent where its model is missing: then no voice interrupts. */
  readonly voiceActivity: VoiceActivity | undefined;
  /** The system's, unless given. */
  readonly clock?: CallClock;
}
