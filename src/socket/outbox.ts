import type { WebSocket } from 'ws';

/** Above this the speakers of a connection pause: over a minute of mu-law, or six seconds of PCM. */
const HIGH_WATER_BYTES = 512 * 1024;
/** Below this they go on. */
const LOW_WATER_BYTES = HIGH_WATER_BYTES / 2;
/** Nothing that ignores the high mark may grow past this. */
const WALL_BYTES = 4 * 1024 * 1024;
/** A client that does not read for this long is cut. */
const WRITE_DEADLINE_MS = 10_000;

/** What a connection still has to write. Two marks pace the speakers, a wall and a deadline cut. */
export class Outbox {
  readonly #socket: WebSocket;
  readonly #onTooSlow: () => void;
  #waiting: Array<() => void> = [];
  #deadline: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, onTooSlow: () => void) {
    this.#socket = socket;
    this.#onTooSlow = onTooSlow;
  }

  send(message: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(message, () => this.#written());
    if (this.#socket.bufferedAmount > WALL_BYTES) this.#onTooSlow();
  }

  /** Resolves when the client has taken enough of what was sent; at once if it keeps up. */
  drained(): Promise<void> {
    if (this.#socket.bufferedAmount <= HIGH_WATER_BYTES) return Promise.resolve();
    this.#deadline ??= setTimeout(this.#onTooSlow, WRITE_DEADLINE_MS);
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

  #written(): void {
    if (this.#waiting.length > 0 && this.#socket.bufferedAmount <= LOW_WATER_BYTES) this.close();
  }
}
