import type { OutputFormat } from '../../domain/audio.ts';
import type { CarrierName } from '../../domain/carrier.ts';
import type { SpeechError } from '../../domain/errors.ts';
import type { SpeechCommand } from '../../synthesis/speech/messages.ts';
import type { CallStart } from './carrier.ts';

/** A phone call, as bots and webhooks know it. */
export interface CallRecord {
  readonly callId: string;
  /** The line that it came in on. */
  readonly lineId: string;
  readonly carrier: CarrierName;
  readonly accountId: string;
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly start: CallStart;
}

/** What a bot may ask of a call. */
export type CallCommand =
  | Extract<SpeechCommand, { type: 'configure' | 'text' | 'flush' | 'context-close' }>
  /** Silence, at once: whatever is being said, or waits to be, is dropped. */
  | { readonly type: 'clear' }
  /** Asks to be told when everything said so far has been heard. */
  | { readonly type: 'mark'; readonly name: string }
  /** Audio of the bot's own, in the call's `spokenFormat`; heard after what was said before it. */
  | { readonly type: 'audio'; readonly audio: Uint8Array }
  /** Sends the caller's audio to the bot from now on; `undefined` stops it. */
  | { readonly type: 'listen'; readonly format: OutputFormat | undefined }
  | { readonly type: 'hang-up'; readonly when: 'now' | 'after-speech' }
  /** Connects the caller to another number, once everything said so far has been heard. */
  | { readonly type: 'transfer'; readonly to: string }
  | { readonly type: 'keep-alive' };

/** What was being said when it was cut off. */
export interface CutSpeech {
  readonly contextId: string;
  /** Text that the caller heard, up to the last whole word. */
  readonly heard: string;
  /** The rest of what the bot had written. */
  readonly unheard: string;
  /** Audio of the context that the caller heard. */
  readonly heardMs: number;
}

/** Who made the bot fall silent: its own command, the caller's voice, or a key of their phone. */
export type InterruptionCause = 'clear' | 'speech' | 'dtmf';
/** Who ended a call: the carrier (the caller), the bot, or something that went wrong. */
export type EndReason = 'hangup' | 'completed' | 'error';

/** What a call tells its bot. */
export type CallEvent =
  | { readonly type: 'call-start'; readonly call: CallRecord }
  /** In the format that `listen` asked for. */
  | { readonly type: 'caller-audio'; readonly audio: Uint8Array }
  | { readonly type: 'dtmf'; readonly digit: string }
  | { readonly type: 'mark-heard'; readonly name: string }
  | { readonly type: 'caller-speech-start' }
  | { readonly type: 'caller-speech-end' }
  | {
      readonly type: 'interruption';
      readonly cause: InterruptionCause;
      /** In the order in which they were to be heard; empty when nothing was being said. */
      readonly cut: readonly CutSpeech[];
    }
  /** The context has been closed, and its last word heard. */
  | { readonly type: 'context-end'; readonly contextId: string }
  /** Something was not done; the call goes on. */
  | {
      readonly type: 'refusal';
      readonly contextId: string | undefined;
      readonly error: SpeechError;
    }
  | { readonly type: 'call-end'; readonly reason: EndReason; readonly durationMs: number };

/** A bot's end of a call. */
export interface Bot {
  tell(event: CallEvent): void;
  /** Numbers that its own script passes callers on to, where the operator wrote that script. */
  readonly transferTargets?: ReadonlySet<string>;
}

/** A bot's hold on a call. */
export interface BotHold {
  /** @throws SpeechError for a command that cannot be carried out; the call goes on. */
  command(command: CallCommand): void;
  /** The bot is gone; the line says what becomes of the call. Idempotent. */
  release(): void;
}
