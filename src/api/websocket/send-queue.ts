import type { WebSocket } from 'ws';

/** Above this the speakers of a connection pause: over a minute of mu-law, or six seconds of PCM. */
const HIGH_WATER_BYTES = 512 * 1024;
/** Below this they go on. */
const LOW_WATER_BYTES = HIGH_WATER_BYTES / 2;
/** Nothing that ignores the high mark may grow past this. */
const WALL_BYTES = 4 * 1024 * 1024;

/** What a connection still has to write. Two marks pace the speakers, a wall and a deadline cut. */
export class SendQueue {
  readonly #socket: WebSocket;
  readonly #writeDeadlineMs: number;
  readonly #onTooSlow: () => void;
  #waiting: Array<() => void> = [];
  #deadline: NodeJS.Timeout | undefined;
  #isCut = false;

  /** @param writeDeadlineMs how long the client may stay above the low mark. */
  constructor(socket: WebSocket, writeDeadlineMs: number, onTooSlow: () => void) {
    this.#socket = socket;
    this.#writeDeadlineMs = writeDeadlineMs;
    this.#onTooSlow = onTooSlow;
  }

  send(message: string | Uint8Array): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(message, () => this.#written());
    if (this.#socket.bufferedAmount > WALL_BYTES) this.#cut();
  }

  /** Resolves when the client has taken enough of what was sent; at once if it keeps up or left. */
  drained(): Promise<void> {
    const { bufferedAmount, readyState, OPEN } = this.#socket;
    if (bufferedAmount <= HIGH_WATER_BYTES || readyState !== OPEN) return Promise.resolve();
    this.#deadline ??= setTimeout(() => this.#cut(), this.#writeDeadlineMs);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Lets every waiting speaker go; the connection is gone. */
  close(): void {
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Once: telling the client about it is itself a message. */
  #cut(): void {
    if (this.#isCut) return;
    this.#isCut = true;
    this.#onTooSlow();
  }

  #written(): void {
    if (this.#waiting.length > 0 && this.#socket.bufferedAmount <= LOW_WATER_BYTES) this.close();
  }
}
