import type { WebSocket } from 'ws';
import { Heartbeat } from '../../api/websocket/heartbeat.ts';
import { closeReason, NORMAL_CLOSURE } from '../../api/websocket/socket-session.ts';
import type { CarrierMessage } from '../../domain/carrier.ts';
import type { SpeechError } from '../../domain/errors.ts';
import type { CarrierConnection } from '../calls/media-stream.ts';

/** A carrier's websocket. */
export class WebsocketCarrierConnection implements CarrierConnection {
  readonly #socket: WebSocket;
  readonly #heartbeat: Heartbeat;
  #isClosed = false;
  #error: SpeechError | undefined;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.#heartbeat = new Heartbeat(socket, ['pong', 'message']);
    socket.on('close', () => this.#end());
    // A protocol violation: the library has already answered it with the close code it calls for.
    socket.on('error', () => this.#end());
  }

  get unsentBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** From our side or theirs. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Why it was closed from our side, where that was not in order. */
  get error(): SpeechError | undefined {
    return this.#error;
  }

  send(messages: readonly CarrierMessage[]): void {
    if (this.#isClosed) return;
    for (const message of messages) this.#socket.send(message);
  }

  /** What the carrier is told when the leg is closed without an error. */
  blame(error: SpeechError): void {
    this.#error ??= error;
  }

  close(error = this.#error): void {
    if (this.#isClosed) return;
    this.#error = error;
    this.#end();
    this.#socket.close(error ? error.row.close : NORMAL_CLOSURE, closeReason(error));
    // The close frame would wait behind what is not read.
    if (error?.code === 'client_too_slow') this.#socket.terminate();
  }

  #end(): void {
    this.#isClosed = true;
    this.#heartbeat.close();
  }
}
