import type { RawData, WebSocket } from 'ws';
import { SpeechError, toSpeechError } from '../../domain/errors.ts';
import { Heartbeat } from './heartbeat.ts';
import { SendQueue } from './send-queue.ts';

/** The longest message that a peer may send: a stretch of text, or of audio. */
export const MAX_MESSAGE_BYTES = 64 * 1024;
/** The longest message of a peer that has not shown its key. */
const MAX_UNKNOWN_MESSAGE_BYTES = 16 * 1024;
/**
 * What the websocket library buffers of one message before it closes by itself. Longer than a message
 * may be, so that an oversize one can be answered with an error before the close.
 */
export const MAX_PAYLOAD_BYTES = 4 * MAX_MESSAGE_BYTES;
const DEFAULT_WRITE_DEADLINE_MS = 10_000;
/** Control frames carry at most 125 bytes, two of which are the close code. */
const MAX_CLOSE_REASON_BYTES = 123;
const NORMAL_CLOSURE = 1000;

export interface BoundedSocketOptions {
  /** What errors call the other side. */
  readonly peer: 'client' | 'bot' | 'carrier';
  /** Whether it has shown its key. If not, its messages must be short until `trust` is called. */
  readonly isTrusted: boolean;
  /** A peer that leaves more unread than `drained` allows for this long is cut; 10 000 unless given. */
  readonly writeDeadlineMs?: number | undefined;
  /** What shows that the peer is alive; pongs unless given. */
  readonly lifeSigns?: ReadonlyArray<'pong' | 'message'>;
  /** Takes a text or a binary message. What it throws goes to `onFault`. */
  readonly receive: (message: string | Buffer) => void;
  /** The peer has broken a limit. The owner tells the peer, and calls `close` with the error. */
  readonly onFault: (error: SpeechError) => void;
  /** Called once, when the peer has gone or `close` was called; with the error given to `close`. */
  readonly onEnd: (error: SpeechError | undefined) => void;
}

/** A websocket with limits: size of messages, unread data, dead peers, and a close that arrives. */
export class BoundedSocket {
  readonly #socket: WebSocket;
  readonly #options: BoundedSocketOptions;
  readonly #sendQueue: SendQueue;
  readonly #heartbeat: Heartbeat;
  #isTrusted: boolean;
  #isEnded = false;

  constructor(socket: WebSocket, options: BoundedSocketOptions) {
    const { peer, isTrusted, lifeSigns, onFault } = options;
    this.#socket = socket;
    this.#options = options;
    this.#isTrusted = isTrusted;
    const deadlineMs = options.writeDeadlineMs ?? DEFAULT_WRITE_DEADLINE_MS;
    this.#sendQueue = new SendQueue(socket, deadlineMs, () => onFault(tooSlow(peer)));
    this.#heartbeat = new Heartbeat(socket, lifeSigns);
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('close', () => this.#end(undefined));
    // A protocol violation: the library has already answered it with the close code it calls for.
    socket.on('error', () => this.#end(undefined));
  }

  /** Whether the peer has gone, or the connection was closed from our side. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  get unsentBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** The peer has shown its key: its messages may be as long as anybody's. */
  trust(): void {
    this.#isTrusted = true;
  }

  /** Reads no more messages for now. One that the library has read already may still come. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  send(message: string | Uint8Array): void {
    if (!this.#isEnded) this.#sendQueue.send(message);
  }

  /** Resolves when the peer has read enough of what was sent; at once if it keeps up or has gone. */
  drained(): Promise<void> {
    return this.#sendQueue.drained();
  }

  /** Ends the connection with the close code of an error, or as it should end. Idempotent. */
  close(error?: SpeechError): void {
    if (this.#isEnded) return;
    this.#end(error);
    // The peer's half of the close must be read.
    this.#socket.resume();
    this.#socket.close(error ? error.row.close : NORMAL_CLOSURE, closeReason(error));
    // The close frame waits behind unread data; without this the socket would stay for its timeout.
    if (error?.code === 'client_too_slow') this.#socket.terminate();
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isEnded) return;
    const bytes = data as Buffer;
    try {
      this.#assertShort(bytes.length);
      this.#options.receive(isBinary ? bytes : bytes.toString('utf8'));
    } catch (thrown) {
      this.#options.onFault(toSpeechError(thrown));
    }
  }

  #assertShort(byteCount: number): void {
    const mostBytes = this.#isTrusted ? MAX_MESSAGE_BYTES : MAX_UNKNOWN_MESSAGE_BYTES;
    if (byteCount <= mostBytes) return;
    const until = this.#isTrusted ? '' : ' before the API key is known';
    throw new SpeechError(
      'message_too_big',
      `A message of ${byteCount} bytes is over the limit of ${mostBytes}${until}. Send it in smaller pieces.`,
    );
  }

  #end(error: SpeechError | undefined): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#heartbeat.close();
    this.#sendQueue.close();
    this.#options.onEnd(error);
  }
}

function tooSlow(peer: string): SpeechError {
  return new SpeechError(
    'client_too_slow',
    `The connection was cut because the ${peer} stopped reading. Read frames as they come.`,
  );
}

/** The reason of a close frame; the websocket library throws on longer ones. */
function closeReason(error: SpeechError | undefined): string {
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
