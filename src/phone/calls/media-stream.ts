import type { Caller } from '../../domain/account.ts';
import type { CarrierMessage } from '../../domain/carrier.ts';
import type { SpeechError } from '../../domain/errors.ts';
import type { CallStart, Carrier, CarrierDialect } from './carrier.ts';
import type { Line } from './line.ts';
import type { TransferQuestion } from './transfers.ts';

/** The way back to a carrier: a websocket or a TCP connection. */
export interface CarrierConnection {
  send(messages: readonly CarrierMessage[]): void;
  /** Bytes that the connection has not taken yet. */
  readonly unsentBytes: number;
  /**
   * Ends the connection, once what was sent is written. Idempotent.
   * @param error why, which the carrier is told where its connection can say so.
   */
  close(error?: SpeechError): void;
}

/** A media stream that may become a call. */
export interface AdmittedCall {
  /** Who pays. */
  readonly caller: Caller;
  /** What the carrier may ask with what follows the call, where its set-up document has told it. */
  readonly followUpToken?: string;
}

/** A carrier's connection that was let in and has not said yet what call it is about. */
export interface StreamOpening {
  readonly carrier: Carrier;
  readonly dialect: CarrierDialect;
  readonly line: Line;
  readonly connection: CarrierConnection;
  /**
   * Lets the call in, and says who pays for it. Asked at `start`, because some carriers can pass a key or a token only
   * among the parameters of the stream.
   * @throws SpeechError `authentication_required`, `invalid_api_key` and others.
   */
  readonly admit: (start: CallStart) => Promise<AdmittedCall>;
}

/** A carrier's media stream, as its connection sees it. */
export interface MediaStream {
  /** Takes one message; what is wrong with it is answered here, never thrown. */
  receive(message: CarrierMessage): void;
  /** The connection is gone. Idempotent. */
  closed(): void;
}

/** Takes media streams and makes calls of them. */
export interface MediaStreamHandler {
  open(opening: StreamOpening): MediaStream;
  /**
   * The number that a bot has passed a call on to, for the document that the carrier asks next. It is
   * told once.
   */
  takeTransfer(question: TransferQuestion): string | undefined;
}
