import type { IncomingHttpHeaders } from 'node:http';
import type { OutputFormat } from '../../domain/audio.ts';
import type { CarrierMessage, CarrierName } from '../../domain/carrier.ts';

/** What a carrier tells about a call when its media begin. */
export interface CallStart {
  /** The carrier's id of the media stream. */
  readonly streamId: string;
  /** The carrier's id of the call, where it tells one. */
  readonly carrierCallId: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** What the call set-up document, or the placer of the call, passed along. */
  readonly parameters: Readonly<Record<string, string>>;
  /** What the caller's audio is encoded in: mu-law, A-law or 16-bit little-endian PCM. */
  readonly callerFormat: OutputFormat;
  /** What the carrier must be sent. */
  readonly spokenFormat: OutputFormat;
}

/** What a carrier says, whatever its wire language. */
export type CarrierEvent =
  | { readonly type: 'start'; readonly start: CallStart }
  | {
      readonly type: 'caller-audio';
      /** In the call's `callerFormat`; any length. */
      readonly audio: Uint8Array;
      /** Where in the call it belongs, for carriers that number their media: 0, 1, 2 … */
      readonly sequence?: number;
    }
  | { readonly type: 'dtmf'; readonly digit: string }
  /** The carrier has come to a mark: by playing what went before it, or by a clear. */
  | { readonly type: 'mark'; readonly name: string }
  /** A clear has been carried out. Only some carriers say so. */
  | { readonly type: 'cleared' }
  /** The carrier's buffer is full (nothing may be sent until further notice), or has room again. */
  | { readonly type: 'flow'; readonly isOpen: boolean }
  /** Must go back to the carrier as it is, at once: answers to handshakes and pings. */
  | { readonly type: 'reply'; readonly messages: readonly CarrierMessage[] }
  /** The carrier ended the stream. */
  | { readonly type: 'stop' };

/**
 * The wire language of one media stream: synchronous, knows no socket and no clock. One is opened
 * for each stream, because streams have ids, sequence numbers and remainders.
 */
export interface CarrierDialect {
  /**
   * @returns nothing for a message that says nothing to us, such as one of a later protocol.
   * @throws SpeechError `invalid_input_message` that says what is wrong with the message.
   */
  receive(message: CarrierMessage): readonly CarrierEvent[];
  /**
   * @param units audio in `spokenFormat`, a whole number of units and a multiple of the carrier's
   *   `unitsPerMessage`; never empty, and only after `start`.
   */
  play(units: Uint8Array): readonly CarrierMessage[];
  /** Drops everything that the carrier has not played yet; empty where a carrier buffers nothing. */
  clear(): readonly CarrierMessage[];
  /** Asks to be told when everything sent so far has been played; empty where a carrier cannot. */
  mark(name: string): readonly CarrierMessage[];
  /** Says that no audio follows for now; empty for most carriers. */
  done(): readonly CarrierMessage[];
  /** Ends the call in the carrier's words, before the connection is closed; often just that. */
  hangUp(): readonly CarrierMessage[];
}

/** What a carrier's connection was opened with. */
export interface StreamRequest {
  readonly headers: IncomingHttpHeaders;
  readonly query: Readonly<Record<string, unknown>>;
}

/** One carrier: how it must be spoken to, and what may be expected of it. */
export interface Carrier {
  readonly name: CarrierName;
  readonly transport: 'websocket' | 'tcp';
  /** Its messages must carry a multiple of this many units. */
  readonly unitsPerMessage: number;
  /** Most units in one message; what is due at once is sent in one where it fits. */
  readonly maxUnitsPerMessage: number;
  /** How far ahead of the caller's ear audio is sent: as little as jitter allows. */
  readonly leadMs: number;
  /** Whether `mark` is answered, so that what has been heard is known and not reckoned. */
  readonly answersMarks: boolean;
  /** Whether `clear` drops what was sent. Without it, what was sent ahead will be heard. */
  readonly clears: boolean;
  /**
   * The carrier as it is on one connection, where what it can do depends on the build at the other
   * end; absent where it is always the same.
   */
  readonly variant?: (request: StreamRequest) => Carrier;
  open(request: StreamRequest): CarrierDialect;
}
