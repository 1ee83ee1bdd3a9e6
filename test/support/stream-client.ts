import { WebSocket } from 'ws';

/** One frame from the server, of any of the websockets. */
export interface ServerFrame {
  readonly audio?: string | null;
  readonly isFinal?: boolean | null;
  readonly is_final?: boolean;
  readonly is_final_audio_for_turn?: boolean;
  readonly alignment?: WireAlignment | null;
  readonly normalizedAlignment?: WireAlignment | null;
  readonly contextId?: string;
  readonly context_id?: string;
  readonly message?: string;
  readonly error?: string;
  readonly code?: number | string;
  readonly 'x-trace-id'?: string;
  readonly type?: string;
  readonly data?: object;
}

export interface WireAlignment {
  readonly chars: string[];
  readonly charStartTimesMs: number[];
  readonly charDurationsMs: number[];
}

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** A websocket client that keeps every frame, for tests to wait on and to look back at. */
export class StreamClient {
  readonly frames: ServerFrame[] = [];
  /** Binary messages, as they came. */
  readonly binary: Buffer[] = [];
  readonly closed: Promise<Closed>;
  readonly socket: WebSocket;
  /** Headers of the upgrade response. */
  headers: Record<string, string | string[] | undefined> = {};
  readonly #waiting: Array<() => void> = [];

  constructor(url: string, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(url, { headers });
    this.socket.on('upgrade', (response) => {
      this.headers = response.headers;
    });
    this.socket.on('message', (data, isBinary) => {
      if (isBinary) this.binary.push(data as Buffer);
      else this.frames.push(JSON.parse(String(data)) as ServerFrame);
      this.#wakeAll();
    });
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => {
        resolve({ code, reason: String(reason) });
        this.#wakeAll();
      });
    });
  }

  /** Resolves when the upgrade is done; rejects with the HTTP status when it is refused. */
  opened(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.once('open', resolve);
      this.socket.once('error', reject);
    });
  }

  send(...frames: readonly unknown[]): void {
    for (const frame of frames) this.socket.send(JSON.stringify(frame));
  }

  /** Waits until a frame satisfies `test`, among those that have come and those to come. */
  async until(test: (frame: ServerFrame) => boolean): Promise<ServerFrame> {
    while (true) {
      const found = this.frames.find(test);
      if (found) return found;
      if (this.socket.readyState === WebSocket.CLOSED)
        throw new Error('Closed before the frame came.');
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  /** Waits until the binary messages, all together, have so many bytes. */
  async untilBinary(bytes: number): Promise<void> {
    while (Buffer.concat(this.binary).length < bytes) {
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error('Closed before they came.');
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** The audio bytes of all frames so far, or of one context. */
  audio(contextId?: string): Buffer {
    return Buffer.concat(
      this.frames
        .filter((frame) => contextId === undefined || frame.contextId === contextId)
        .flatMap(({ audio }) => (audio ? [Buffer.from(audio, 'base64')] : [])),
    );
  }
}
