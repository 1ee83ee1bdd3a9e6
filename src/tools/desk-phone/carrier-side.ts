import type { OutputFormat } from '../../domain/audio.ts';
import type { CarrierMessage } from '../../domain/carrier.ts';
import type { PlayoutEvent, PlayoutRules } from './playout-rules.ts';

/** What a call is placed with. */
export interface OutgoingCall {
  readonly from: string;
  readonly to: string;
  /** Passed along as the carrier passes parameters of a stream. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Lets the call in; put where the carrier can carry it. */
  readonly apiKey: string | undefined;
  /** What the audio is encoded in, both ways; undefined is what the carrier uses by default. */
  readonly format: OutputFormat | undefined;
  /** One of the carrier's ways, where there are several, such as "plain"; undefined is the first. */
  readonly variant: string | undefined;
  /** The id that the call was announced under, for carriers whose calls must be; a UUID. */
  readonly callId?: string | undefined;
  /** A new UUID every time. */
  readonly newId: () => string;
  /** When the call begins, in milliseconds since 1970. */
  readonly startsAtMs: number;
}

/** How the carrier opens its connection. */
export interface Handshake {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** What the other side wants, whatever the wire language. */
export type SideEvent =
  /** To be played, in the call's format. */
  | { readonly type: 'audio'; readonly audio: Uint8Array }
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'clear' }
  | { readonly type: 'pause'; readonly isPaused: boolean }
  /** To be told, once, when nothing is left to play. */
  | { readonly type: 'ask-drained' }
  /** Must be sent back at once. */
  | { readonly type: 'reply'; readonly messages: readonly CarrierMessage[] }
  /** The call ends: the other side asked for it, or the carrier does not stand for what it did. */
  | { readonly type: 'hang-up'; readonly reason: string }
  /** Something that the real carrier would refuse, drop or garble: one sentence. */
  | { readonly type: 'finding'; readonly text: string };

/**
 * The carrier's half of a media protocol, for one call: synchronous, knows no socket and no clock.
 * Written from the carriers' own documents and sharing nothing with the server's dialects, so that
 * a misreading in one of the two shows. Times are milliseconds since the call began.
 */
export interface CarrierSide {
  readonly handshake: Handshake;
  /** Of the audio, both ways. */
  readonly format: OutputFormat;
  /** How much of the caller's audio goes into one message. */
  readonly frameMs: number;
  readonly playout: PlayoutRules;
  /** Whether the caller's audio may be sent already. */
  readonly isOpen: boolean;
  /** Whether the other side answers a hang-up before the connection is closed. */
  readonly waitsForGoodbye: boolean;
  /** What the carrier says first. */
  greet(): readonly CarrierMessage[];
  /** @param frame `frameMs` of the caller's audio. */
  callerAudio(frame: Uint8Array, atMs: number): readonly CarrierMessage[];
  /** @param digit 0–9, *, #, A–D. */
  key(digit: string, atMs: number): readonly CarrierMessage[];
  /**
   * Takes what the other side says; what is wrong with it becomes a finding, never an error.
   * @param queuedMs audio that waits to be played.
   */
  receive(message: CarrierMessage, atMs: number, queuedMs: number): readonly SideEvent[];
  /** What the carrier says about something that happened in its buffer. */
  tell(event: PlayoutEvent): readonly CarrierMessage[];
  /** What the carrier says when the caller hangs up, before it closes the connection. */
  hangUp(atMs: number): readonly CarrierMessage[];
}

/** Makes one carrier's side. @throws PhoneError for a format or a variant that it does not have. */
export type OpenSide = (setup: OutgoingCall) => CarrierSide;
