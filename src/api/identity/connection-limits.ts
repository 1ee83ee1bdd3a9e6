import type { Server, Socket } from 'node:net';
import { SpeechError } from '../../domain/errors.ts';

export interface ConnectionLimitOptions {
  /** In all. */
  readonly maxConnections: number;
  /** From one address, on which nobody has shown a valid key yet. */
  readonly maxUnknownPerAddress: number;
  /** Proxies bring the connections of many, and are counted in all only. */
  readonly isTrustedProxy: (address: string | undefined) => boolean;
  /** Answers on a connection that is one too many, and closes it. */
  readonly refuse: (error: SpeechError, socket: Socket) => void;
}

const RETRY_AFTER_S = 10;

/**
 * Bounds the connections that are open. A connection counts toward its address until a request on it
 * is made by a known caller: bots may open as many as the server can take.
 */
export class ConnectionLimits {
  readonly #options: ConnectionLimitOptions;
  readonly #unknownByAddress = new Map<string, number>();
  /** By connection, the address that it still counts toward. */
  readonly #unknown = new Map<string, string>();
  #total = 0;

  constructor(options: ConnectionLimitOptions) {
    this.#options = options;
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#admit(socket));
  }

  /** Somebody on a connection has been recognised. */
  recognise(socket: Socket): void {
    this.#recognise(connectionOf(socket));
  }

  #recognise(connection: string): void {
    const address = this.#unknown.get(connection);
    if (address === undefined) return;
    this.#unknown.delete(connection);
    const left = (this.#unknownByAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#unknownByAddress.set(address, left);
    else this.#unknownByAddress.delete(address);
  }

  #admit(socket: Socket): void {
    const { maxConnections, maxUnknownPerAddress, isTrustedProxy, refuse } = this.#options;
    const address = socket.remoteAddress ?? 'unknown';
    const unknown = this.#unknownByAddress.get(address) ?? 0;
    if (this.#total >= maxConnections) {
      refuse(tooMany('The server has as many connections as it takes.'), socket);
      return;
    }
    const isProxy = isTrustedProxy(socket.remoteAddress);
    if (!isProxy && unknown >= maxUnknownPerAddress) {
      refuse(
        tooMany('This address has too many open connections without a valid API key.'),
        socket,
      );
      return;
    }
    this.#total++;
    const connection = connectionOf(socket);
    if (!isProxy) {
      this.#unknown.set(connection, address);
      this.#unknownByAddress.set(address, unknown + 1);
    }
    socket.once('close', () => {
      this.#total--;
      this.#recognise(connection);
    });
  }
}

/** The same for the socket of a connection and for that of the TLS on it. */
function connectionOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function tooMany(reason: string): SpeechError {
  return new SpeechError('rate_limit_exceeded', `${reason} Close some, or try again later.`, {
    retryAfterS: RETRY_AFTER_S,
  });
}
