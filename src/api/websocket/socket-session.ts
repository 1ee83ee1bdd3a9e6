import type { WebSocket } from 'ws';
import type { Credentials } from '../../domain/account.ts';
import { SpeechError, toSpeechError } from '../../domain/errors.ts';
import type { FrameSink } from '../../synthesis/speech/frame-writer.ts';
import type { SpeechEvent } from '../../synthesis/speech/messages.ts';
import { Session, type SessionPorts } from '../../synthesis/speech/session.ts';
import type { OpeningSettings } from '../../synthesis/speech/settled-settings.ts';
import type { SpeechPipeline } from '../../synthesis/speech/speech-pipeline.ts';
import { BoundedSocket } from './bounded-socket.ts';
import { ContextClock } from './context-clock.ts';
import type { Dialect } from './dialect.ts';
import { KeyWatch } from './key-watch.ts';
import { traceIdOf } from './trace-id.ts';

export interface ConnectionOptions {
  /** As the answer to the handshake told it; see `traceIdOf`. */
  readonly connectionId: string;
  readonly dialect: Dialect;
  /** Whether the client gave a valid key with the handshake. */
  readonly isKnown: boolean;
  /** Without a message for this long, what is held is spoken; after as long again, the connection is closed. */
  readonly inactivityTimeoutMs: number;
  /** Whether contexts end each by itself: when nothing happens for that long, or nothing can be said. */
  readonly hasContexts: boolean;
  /** See `SessionPorts`. */
  readonly endsContextAlone?: SessionPorts['endsContextAlone'];
  /** Said first, before any message has come; without it the client speaks first. */
  readonly greeting?: readonly string[];
  /** A client that leaves its audio unread for this long is cut; 10 000 unless given. */
  readonly writeDeadlineMs: number | undefined;
  /** See `SessionPorts`. */
  readonly admit: SessionPorts['admit'];
  /** Looks again whether the caller may speak: throws the `SpeechError` that says why not. */
  readonly confirm: () => Promise<unknown>;
  readonly confirmIntervalMs: number;
  /** See `SessionPorts`. */
  readonly ready?: SessionPorts['ready'];
  /** Chooses what a context speaks with; its audio goes to `sink`. */
  readonly beginSpeech: (
    contextId: string,
    settings: OpeningSettings,
    sink: FrameSink,
  ) => SpeechPipeline;
  /** Called for each message. */
  readonly onMessage: (direction: MessageDirection) => void;
  /** Called once, when the connection has ended; with the trace id that the error was sent with. */
  readonly onEnd: (error: SpeechError | undefined, traceId: string) => void;
}

/** As the server sees it. */
export type MessageDirection = 'in' | 'out';

/** Joins one websocket to one session: the only code that sees both. */
export class SocketSession {
  readonly #socket: BoundedSocket;
  readonly #options: ConnectionOptions;
  readonly #contextClock: ContextClock;
  readonly #session: Session;
  #keyWatch: KeyWatch | undefined;
  #inactivity: NodeJS.Timeout | undefined;
  #endTraceId: string;
  #hasEnded = false;

  constructor(socket: WebSocket, options: ConnectionOptions) {
    this.#options = options;
    this.#endTraceId = traceIdOf(options.connectionId, 0);
    this.#socket = new BoundedSocket(socket, {
      peer: 'client',
      isTrusted: options.isKnown,
      writeDeadlineMs: options.writeDeadlineMs,
      receive: (message) => this.#receive(message),
      onFault: (error) => this.fail(error),
      onEnd: () => this.#session.close(),
    });
    this.#contextClock = new ContextClock(options.inactivityTimeoutMs, (afterMs) =>
      this.#session.closeIdleContexts(afterMs),
    );
    this.#session = new Session({
      hasContexts: options.hasContexts,
      ...(options.endsContextAlone && { endsContextAlone: options.endsContextAlone }),
      ...(options.ready && { ready: options.ready }),
      admit: (carried) => this.#admit(carried),
      beginSpeech: (contextId, settings) =>
        options.beginSpeech(contextId, settings, (audio, alignment, chunkNumber) => {
          this.#emit({ type: 'audio-frame', contextId, audio, alignment, chunkNumber });
          return this.#socket.drained();
        }),
      emit: (event) => {
        this.#emit(event);
        this.#resume();
      },
      onEased: () => this.#resume(),
      onEnd: (error) => this.#end(error),
    });
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

  /** Speaks what a context holds, as if its client had asked for it. */
  speakHeld(contextId: string): void {
    this.#session.speakHeld(contextId);
  }

  async #admit(carried: Credentials | undefined): Promise<void> {
    const { admit, confirm, confirmIntervalMs, greeting } = this.#options;
    await admit(carried);
    if (this.#hasEnded) return;
    this.#keyWatch = new KeyWatch(confirmIntervalMs, confirm, (error) => this.fail(error));
    for (const message of greeting ?? []) this.#send(message);
  }

  #receive(message: string | Buffer): void {
    this.#options.onMessage('in');
    this.#restartInactivity();
    if (typeof message !== 'string') throw binaryMessage();
    // The key is in the first message, or nowhere.
    this.#socket.trust();
    const { dialect } = this.#options;
    try {
      this.#session.receive(dialect.decode(message));
    } catch (thrown) {
      this.#session.fail(toSpeechError(thrown), dialect.contextOf(message));
    }
    if (this.#options.hasContexts && !this.#hasEnded) this.#contextClock.start();
    if (this.#session.isCrowded) this.#socket.pause();
  }

  #emit(event: SpeechEvent): void {
    const traceId = traceIdOf(this.#options.connectionId, event.chunkNumber);
    if (event.type === 'error') this.#endTraceId = traceId;
    const message = this.#options.dialect.encode(event, traceId);
    if (Array.isArray(message)) for (const each of message) this.#send(each);
    else if (message !== undefined) this.#send(message as string | Uint8Array);
  }

  #resume(): void {
    if (!this.#session.isCrowded) this.#socket.resume();
  }

  #send(message: string | Uint8Array): void {
    this.#options.onMessage('out');
    this.#socket.send(message);
  }

  #restartInactivity(): void {
    clearTimeout(this.#inactivity);
    this.#inactivity = setTimeout(() => {
      if (this.#session.busy || this.#session.speakHeld()) this.#restartInactivity();
      else this.#session.fail(inactive(this.#options.inactivityTimeoutMs));
    }, this.#options.inactivityTimeoutMs);
  }

  #end(error: SpeechError | undefined): void {
    this.#hasEnded = true;
    clearTimeout(this.#inactivity);
    this.#contextClock.close();
    this.#keyWatch?.close();
    this.#socket.close(error);
    this.#options.onEnd(error, this.#endTraceId);
  }
}

function binaryMessage(): SpeechError {
  return new SpeechError(
    'invalid_input_message',
    'Binary message received. Send JSON in text messages.',
  );
}

function inactive(timeoutMs: number): SpeechError {
  return new SpeechError(
    'input_timeout_exceeded',
    `No input for ${timeoutMs / 1000} s. Send text or a single space " " to keep the connection, or end it with an empty string.`,
  );
}
