import type { RawData, WebSocket } from 'ws';
import { Heartbeat } from '../../api/websocket/heartbeat.ts';
import { SendQueue } from '../../api/websocket/send-queue.ts';
import {
  closeReason,
  MAX_MESSAGE_BYTES,
  NORMAL_CLOSURE,
} from '../../api/websocket/socket-session.ts';
import { SpeechError, toSpeechError } from '../../domain/errors.ts';
import { wireErrorEvent } from './bot-events.ts';
import type { WireBotEvent } from './bot-frame-schemas.ts';

/** What the library buffers of one message; an oversize one is still answered with an error. */
export const MAX_PAYLOAD_BYTES = 4 * MAX_MESSAGE_BYTES;
/** Audio comes as fast as people talk, so a bot this far behind has stopped reading. */
export const BOT_WRITE_DEADLINE_MS = 10_000;

export interface BotWireOptions {
  /** A bot that leaves what it is told unread for this long is cut. */
  readonly writeDeadlineMs: number;
  /** Takes a text or a binary message. What it throws ends the connection, and the bot is told. */
  readonly receive: (message: string | Buffer) => void;
  /** Called once, when the connection has ended; with the error that ended it from our side. */
  readonly onEnd: (error: SpeechError | undefined) => void;
}

/** The websocket of a bot, whoever opened it: limits, heartbeat, slow readers and the close. */
export class BotWire {
  readonly #socket: WebSocket;
  readonly #options: BotWireOptions;
  readonly #sendQueue: SendQueue;
  readonly #heartbeat: Heartbeat;
  #isEnded = false;

  /** @param socket an open one. Nothing of it is read before `resume`. */
  constructor(socket: WebSocket, options: BotWireOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#sendQueue = new SendQueue(socket, options.writeDeadlineMs, () => this.#cutSlowBot());
    this.#heartbeat = new Heartbeat(socket);
    socket.pause();
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('close', () => this.#end(undefined));
    // A protocol violation, which the library has answered with the close code it calls for, or a
    // connection that broke; the close event follows.
    socket.on('error', () => undefined);
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  resume(): void {
    this.#socket.resume();
  }

  tell(event: WireBotEvent): void {
    if (!this.#isEnded) this.#sendQueue.send(JSON.stringify(event));
  }

  /** Tells what comes without end, and need not be read at all; unread, it cuts the connection. */
  stream(message: WireBotEvent | Uint8Array): void {
    if (this.#isEnded) return;
    this.#sendQueue.send(message instanceof Uint8Array ? message : JSON.stringify(message));
    void this.#sendQueue.drained();
  }

  /** Ends the connection; with an error that the bot is told, or as it should end. Idempotent. */
  close(error?: SpeechError): void {
    if (this.#isEnded) return;
    if (error) this.tell(wireErrorEvent(error));
    this.#end(error);
    // The bot's half of the close must be read.
    this.#socket.resume();
    this.#socket.close(error ? error.row.close : NORMAL_CLOSURE, closeReason(error));
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isEnded) return;
    const bytes = data as Buffer;
    try {
      if (bytes.length > MAX_MESSAGE_BYTES) throw tooBig(bytes.length);
      this.#options.receive(isBinary ? bytes : bytes.toString('utf8'));
    } catch (thrown) {
      this.close(toSpeechError(thrown));
    }
  }

  #cutSlowBot(): void {
    this.close(
      new SpeechError(
        'client_too_slow',
        'The connection was cut because the bot stopped reading. Read frames as they come.',
      ),
    );
    // The close frame waits behind what is unread; without this the socket would stay for its timeout.
    this.#socket.terminate();
  }

  #end(error: SpeechError | undefined): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#heartbeat.close();
    this.#sendQueue.close();
    this.#options.onEnd(error);
  }
}

function tooBig(bytes: number): SpeechError {
  return new SpeechError(
    'message_too_big',
    `A message of ${bytes} bytes is over the limit of ${MAX_MESSAGE_BYTES}. Send it in smaller pieces.`,
  );
}
