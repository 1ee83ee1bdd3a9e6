import type { SpeechError } from '../../domain/errors.ts';
import type { CallClock } from './call-clock.ts';
import type { CallRecord, EndReason } from './call-messages.ts';
import type { CallVoiceParts } from './call-voice.ts';
import type { StreamOpening } from './media-stream.ts';
import type { VoiceWatch } from './voice-watch.ts';

/** What a call is made of. */
export interface CallParts {
  readonly record: CallRecord;
  readonly opening: StreamOpening;
  readonly beginSpeech: CallVoiceParts['beginSpeech'];
  readonly clock: CallClock;
  /** Hears when the caller speaks, where the line wants to know. */
  readonly watchVoice: VoiceWatch | undefined;
  /** The call waits for a bot no longer. */
  readonly onClaimed: () => void;
  /** Whether its carrier can ask what follows the call. */
  readonly isTransferable: boolean;
  /** Called just before the call is passed on. */
  readonly onTransfer: (to: string) => void;
  /** Called once. */
  readonly onEnd: (end: CallEnd) => void;
}

export interface CallEnd {
  readonly reason: EndReason;
  readonly durationMs: number;
  /** What went wrong, when something did. */
  readonly error: SpeechError | undefined;
  /** Whether no bot has ever come. */
  readonly wasWaiting: boolean;
}
