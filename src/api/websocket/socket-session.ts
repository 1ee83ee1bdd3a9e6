import type { RawData, WebSocket } from 'ws';
import { SpeechError, toSpeechError } from '../../domain/errors.ts';
import type { Voicing } from '../../synthesis/speech/context.ts';
import type { FrameSink } from '../../synthesis/speech/frame-writer.ts';
import type { ContextSettings, SpeechEvent } from '../../synthesis/speech/messages.ts';
import { Session } from '../../synthesis/speech/session.ts';
import { ContextClock } from './context-clock.ts';
import type { Dialect } from './dialect.ts';
import { Heartbeat } from './heartbeat.ts';
import { KeyWatch } from './key-watch.ts';
import { SendQueue } from './send-queue.ts';
import { traceIdOf } from './trace-id.ts';

/** The longest message a client may send: clients send words, not books. */
export const MAX_MESSAGE_BYTES = 64 * 1024;
/** The longest first message of somebody whose key is still to come: in it, or never. */
export const MAX_UNKNOWN_MESSAGE_BYTES = 16 * 1024;
/** Control frames carry at most 125 bytes, two of which are the close code. */
const MAX_CLOSE_REASON_BYTES = 123;
export const NORMAL_CLOSURE = 1000;

export interface ConnectionOptions {
  /** As the answer to the handshake told it; see `traceIdOf`. */
  readonly connectionId: string;
  readonly dialect: Dialect;
  /** Whether the client gave a valid key with the handshake. */
  readonly isKnown: boolean;
  /** Without a message for this long, and with nothing left to speak, the connection is closed. */
  readonly inactivityTimeoutMs: number;
  /** Whether contexts in which nothing happens for that long are ended, each by itself. */
  readonly endsIdleContexts: boolean;
  /** Said first, before any message has come; without it the client speaks first. */
  readonly greeting?: string;
  /** A client that leaves its audio unread for this long is cut. */
  readonly writeDeadlineMs: number;
  /** Checks the caller's key and everything asked for at connect; throws the first `SpeechError`. */
  readonly admit: (key: string | undefined) => Promise<void>;
  /** Looks again whether the caller may speak: throws the `SpeechError` that says why not. */
  readonly confirm: () => Promise<unknown>;
  readonly confirmIntervalMs: number;
  /** Chooses what a context speaks with; its audio goes to `sink`. */
  readonly beginSpeech: (settings: ContextSettings, sink: FrameSink) => Voicing;
  /** Called for each message. */
  readonly onMessage: (direction: MessageDirection) => void;
  /** Called once, when the connection has ended; with the trace id that the error was sent with. */
  readonly onEnd: (error: SpeechError | undefined, traceId: string) => void;
}

/** As the server sees it. */
export type MessageDirection = 'in' | 'out';

/** Joins one websocket to one session: the only code that sees both. */
export class SocketSession {
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  readonly #sendQueue: SendQueue;
  readonly #heartbeat: Heartbeat;
  readonly #contextClock: ContextClock;
  readonly #session: Session;
  #keyWatch: KeyWatch | undefined;
  #inactivity: NodeJS.Timeout | undefined;
  #endTraceId: string;
  #mostBytes: number;
  #hasEnded = false;

  constructor(socket: WebSocket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#endTraceId = traceIdOf(options.connectionId, 0);
    this.#mostBytes = options.isKnown ? MAX_MESSAGE_BYTES : MAX_UNKNOWN_MESSAGE_BYTES;
    this.#heartbeat = new Heartbeat(socket);
    this.#sendQueue = new SendQueue(socket, options.writeDeadlineMs, () => this.#cutSlowClient());
    this.#contextClock = new ContextClock(options.inactivityTimeoutMs, (afterMs) =>
      this.#session.closeIdleContexts(afterMs),
    );
    this.#session = new Session({
      admit: (key) => this.#admit(key),
      beginSpeech: (contextId, settings) =>
        options.beginSpeech(settings, (audio, alignment, chunkNumber) => {
          this.#emit({ type: 'audio-frame', contextId, audio, alignment, chunkNumber });
          return this.#sendQueue.drained();
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
    // Who speaks first must know at once who listens.
    if (options.greeting !== undefined) this.#session.receive([]);
  }

  get busy(): boolean {
    return this.#session.busy;
  }

  /** Ends the connection from our side, with an error that the client is told about. */
  fail(error: SpeechError): void {
    this.#session.fail(error);
  }

  async #admit(key: string | undefined): Promise<void> {
    const { admit, confirm, confirmIntervalMs, greeting } = this.#options;
    await admit(key);
    if (this.#hasEnded) return;
    this.#keyWatch = new KeyWatch(confirmIntervalMs, confirm, (error) => this.fail(error));
    if (greeting !== undefined) this.#send(greeting);
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#options.onMessage('in');
    this.#restartInactivity();
    const { dialect } = this.#options;
    let message: string | undefined;
    try {
      message = messageText(data, isBinary, this.#mostBytes);
      this.#mostBytes = MAX_MESSAGE_BYTES;
      this.#session.receive(dialect.decode(message));
    } catch (thrown) {
      const contextId = message === undefined ? undefined : dialect.contextOf(message);
      this.#session.fail(toSpeechError(thrown), contextId);
    }
    if (this.#options.endsIdleContexts && !this.#hasEnded) this.#contextClock.start();
    if (this.#session.isCrowded) this.#socket.pause();
  }

  #emit(event: SpeechEvent): void {
    const traceId = traceIdOf(this.#options.connectionId, event.chunkNumber);
    if (event.type === 'error') this.#endTraceId = traceId;
    const message = this.#options.dialect.encode(event, traceId);
    if (message !== undefined) this.#send(message);
  }

  #send(message: string | Uint8Array): void {
    this.#options.onMessage('out');
    this.#sendQueue.send(message);
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
    this.#hasEnded = true;
    clearTimeout(this.#inactivity);
    this.#contextClock.close();
    this.#keyWatch?.close();
    this.#heartbeat.close();
    this.#sendQueue.close();
    // The client's half of the close must be read.
    this.#socket.resume();
    this.#socket.close(error ? error.row.close : NORMAL_CLOSURE, closeReason(error));
    this.#options.onEnd(error, this.#endTraceId);
  }
}

function messageText(data: RawData, isBinary: boolean, mostBytes: number): string {
  if (isBinary) {
    throw new SpeechError(
      'invalid_input_message',
      'Binary message received. Send JSON in text messages.',
    );
  }
  const bytes = data as Buffer;
  if (bytes.length > mostBytes) {
    throw new SpeechError(
      'message_too_big',
      `A message of ${bytes.length} bytes is over the limit of ${mostBytes}${mostBytes < MAX_MESSAGE_BYTES ? ' before the API key is known' : ''}. Send text in smaller pieces.`,
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

/** The reason of a close frame; the websocket library throws on longer ones. */
export function closeReason(error: SpeechError | undefined): string {
  return error ? truncateUtf8(error.message, MAX_CLOSE_REASON_BYTES) : '';
}

/** Cuts at a character, never inside one. */
function truncateUtf8(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  return bytes
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\uFFFD+$/u, '');
}
