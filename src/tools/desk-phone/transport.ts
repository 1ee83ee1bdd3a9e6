import type { CarrierMessage } from '../../domain/carrier.ts';

/** How the other end of a connection went away. */
export interface TransportEnd {
  /** A sentence, such as "The server closed the connection (1008). No such key.". */
  readonly reason: string;
  /** Whether it was a mishap and no orderly end. */
  readonly isBroken: boolean;
}

/** The connection that a carrier has opened to a server. */
export interface Transport {
  send(message: CarrierMessage): void;
  /** Closes the connection. Idempotent. */
  close(): void;
}

export interface TransportListener {
  message(message: CarrierMessage): void;
  /** Comes once, from whichever end it was closed. */
  ended(end: TransportEnd): void;
}

/**
 * Opens a connection.
 * @throws PhoneError `unreachable` when nobody answers, `refused` when the server will not have it.
 */
export type OpenTransport = (listener: TransportListener) => Promise<Transport>;
