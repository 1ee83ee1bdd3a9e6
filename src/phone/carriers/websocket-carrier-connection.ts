import type { WebSocket } from 'ws';
import { BoundedSocket } from '../../api/websocket/bounded-socket.ts';
import type { CarrierMessage } from '../../domain/carrier.ts';
import type { SpeechError } from '../../domain/errors.ts';
import type { CarrierConnection } from '../calls/media-stream.ts';

interface WebsocketLegOptions {
  /** Whether the upgrade has proven whose it is; see `trust`. */
  readonly isTrusted: boolean;
  readonly receive: (message: CarrierMessage) => void;
}

/** A carrier's websocket. */
export class WebsocketCarrierConnection implements CarrierConnection {
  readonly #socket: BoundedSocket;
  #error: SpeechError | undefined;

  constructor(socket: WebSocket, options: WebsocketLegOptions) {
    this.#socket = new BoundedSocket(socket, {
      ...options,
      peer: 'carrier',
      // Carriers need not answer pings.
      lifeSigns: ['pong', 'message'],
      onFault: (error) => this.close(error),
      onEnd: () => undefined,
    });
  }

  get unsentBytes(): number {
    return this.#socket.unsentBytes;
  }

  /** Why it was closed from our side, where that was not in order. */
  get error(): SpeechError | undefined {
    return this.#error;
  }

  /** The carrier's key or token is being checked: its messages may be longer from now on. */
  trust(): void {
    this.#socket.trust();
  }

  send(messages: readonly CarrierMessage[]): void {
    for (const message of messages) this.#socket.send(message);
  }

  /** What the carrier is told when the leg is closed without an error. */
  blame(error: SpeechError): void {
    this.#error ??= error;
  }

  close(error = this.#error): void {
    if (this.#socket.isEnded) return;
    this.#error = error;
    this.#socket.close(error);
  }
}
