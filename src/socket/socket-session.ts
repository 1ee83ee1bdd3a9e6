import type { RawData, WebSocket } from 'ws';
import { SpeechError, toSpeechError } from '../domain/errors.ts';
import type { Voicing } from '../speech/context.ts';
import type { ContextSettings, SpeechEvent } from '../speech/messages.ts';
import { Session } from '../speech/session.ts';
import type { FrameSink } from '../speech/utterance.ts';
import type { Dialect } from './dialect.ts';
import { Heartbeat } from './heartbeat.ts';
import { Outbox } from './outbox.ts';

/** The longest message a client may send (RELIABILITY: clients send words, not books). */
export const MAX_MESSAGE_BYTES = 64 * 1024;
/** Control frames carry at most 125 bytes, two of which are the close code. */
const MAX_CLOSE_REASON_BYTES = 123;
const NORMAL_CLOSURE = 1000;

export interface ConnectionOptions {
  readonly dialect: Dialect;
  /** Without a message for this long, and with nothing left to speak, the connection is closed. */
  readonly inactivityTimeoutMs: number;
  /** A client that leaves its audio unread for this long is cut. */
  readonly writeDeadlineMs: number;
  /** Checks the caller's key and everything asked for at connect; throws the first `SpeechError`. */
  readonly admit: (key: string | undefined) => Promise<void>;
  /** Chooses what a context speaks with; its audio goes to `sink`. */
  readonly beginSpeech: (settings: ContextSettings, sink: FrameSink) => Voicing;
  /** Called once, when the connection has ended. */
  readonly onEnd: (error: SpeechError | undefined) => void;
}

/** Joins one websocket to one session: the only code that sees both. */
export class SocketSession {
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  readonly #outbox: Outbox;
  readonly #heartbeat: Heartbeat;
  readonly #session: Session;
  #inactivity: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#heartbeat = new Heartbeat(socket);
    this.#outbox = new Outbox(socket, options.writeDeadlineMs, () => this.#cutSlowClient());
    this.#session = new Session({
      admit: options.admit,
      beginSpeech: (contextId, settings) =>
        options.beginSpeech(settings, (audio, alignment) => {
          this.#emit({ type: 'audio-frame', contextId, audio, alignment });
          return this.#outbox.drained();
        }),
      emit: (event) => {
        this.#emit(event);
        if (!this.#session.isCrowded) socket.resume();
      },
      onEnd: (error) => this.#end(error),
    });
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('close', () => this.#session.close());
    // A protocol violation: the library has already answered it with the close code it calls for.
    socket.on('error', () => this.#session.close());
    this.#restartInactivity();
  }

  get busy(): boolean {
    return this.#session.busy;
  }

  /** Ends the connection from our side, with an error that the client is told about. */
  fail(error: SpeechError): void {
    this.#session.fail(error);
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#restartInactivity();
    const { dialect } = this.#options;
    let message: string | undefined;
    try {
      message = messageText(data, isBinary);
      this.#session.receive(dialect.decode(message));
    } catch (thrown) {
      const contextId = message === undefined ? undefined : dialect.contextOf(message);
      this.#session.fail(toSpeechError(thrown), contextId);
    }
    if (this.#session.isCrowded) this.#socket.pause();
  }

  #emit(event: SpeechEvent): void {
    this.#outbox.send(this.#options.dialect.encode(event));
  }

  #restartInactivity(): void {
    clearTimeout(this.#inactivity);
    this.#inactivity = setTimeout(() => {
      if (this.#session.busy) this.#restartInactivity();
      else this.#session.fail(inactive(this.#options.inactivityTimeoutMs));
    }, this.#options.inactivityTimeoutMs);
  }

  #cutSlowClient(): void {
    this.#session.fail(
      new SpeechError(
        'client_too_slow',
        'The connection was cut because the client stopped reading audio. Read frames as they come.',
      ),
    );
    // The close frame waits behind unread audio; without this the socket would stay for its timeout.
    this.#socket.terminate();
  }

  #end(error: SpeechError | undefined): void {
    clearTimeout(this.#inactivity);
    this.#heartbeat.close();
    this.#outbox.close();
    // The client's half of the close must be read.
    this.#socket.resume();
    this.#socket.close(
      error ? error.row.close : NORMAL_CLOSURE,
      error ? truncateUtf8(error.message, MAX_CLOSE_REASON_BYTES) : '',
    );
    this.#options.onEnd(error);
  }
}

function messageText(data: RawData, isBinary: boolean): string {
  if (isBinary) {
    throw new SpeechError(
      'invalid_input_message',
      'Binary message received. Send JSON in text messages.',
    );
  }
  const bytes = data as Buffer;
  if (bytes.length > MAX_MESSAGE_BYTES) {
    throw new SpeechError(
      'message_too_big',
      `A message of ${bytes.length} bytes is over the limit of ${MAX_MESSAGE_BYTES}. Send text in smaller pieces.`,
    );
  }
  return bytes.toString('utf8');
}

function inactive(timeoutMs: number): SpeechError {
  return new SpeechError(
    'input_timeout_exceeded',
    `No input for ${timeoutMs / 1000} s. Send text or a single space " " to keep the connection, or end it with an empty string.`,
  );
}

/** Cuts at a character, never inside one; the websocket library throws on longer reasons. */
function truncateUtf8(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  return bytes
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\uFFFD+$/u, '');
}
