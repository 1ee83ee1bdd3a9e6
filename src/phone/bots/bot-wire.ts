import type { WebSocket } from 'ws';
import { BoundedSocket, type BoundedSocketOptions } from '../../api/websocket/bounded-socket.ts';
import type { SpeechError } from '../../domain/errors.ts';
import { wireErrorEvent } from './bot-events.ts';
import type { WireBotEvent } from './bot-frame-schemas.ts';

/** What a bot throws at `receive` ends its connection, and the bot is told. */
export type BotWireOptions = Pick<BoundedSocketOptions, 'writeDeadlineMs' | 'receive' | 'onEnd'>;

/** The events of a bot's websocket, which the bot or the server may have opened. */
export class BotWire {
  readonly #socket: BoundedSocket;

  /** @param socket an open one. Nothing of it is read before `resume`. */
  constructor(socket: WebSocket, options: BotWireOptions) {
    this.#socket = new BoundedSocket(socket, {
      ...options,
      peer: 'bot',
      isTrusted: true,
      onFault: (error) => this.close(error),
    });
    this.#socket.pause();
  }

  get isEnded(): boolean {
    return this.#socket.isEnded;
  }

  resume(): void {
    this.#socket.resume();
  }

  tell(event: WireBotEvent): void {
    this.#socket.send(JSON.stringify(event));
  }

  /** Tells what comes without end, and need not be read at all; unread, it cuts the connection. */
  stream(message: WireBotEvent | Uint8Array): void {
    this.#socket.send(message instanceof Uint8Array ? message : JSON.stringify(message));
    void this.#socket.drained();
  }

  /** Ends the connection; with an error that the bot is told, or as it should end. Idempotent. */
  close(error?: SpeechError): void {
    if (error) this.tell(wireErrorEvent(error));
    this.#socket.close(error);
  }
}
