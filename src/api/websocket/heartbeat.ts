import type { WebSocket } from 'ws';

const PING_INTERVAL_MS = 20_000;

/** Ends half-open connections: one that has not answered a ping by the next one is dead. */
export class Heartbeat {
  readonly #timer: NodeJS.Timeout;
  #answered = true;

  /** @param lifeSigns what counts as an answer; messages do for peers that may not know pings. */
  constructor(socket: WebSocket, lifeSigns: ReadonlyArray<'pong' | 'message'> = ['pong']) {
    for (const sign of lifeSigns) {
      socket.on(sign, () => {
        this.#answered = true;
      });
    }
    this.#timer = setInterval(() => {
      // Its answer may be among what is not read now.
      if (socket.isPaused) return;
      if (!this.#answered) {
        socket.terminate();
        return;
      }
      this.#answered = false;
      socket.ping();
    }, PING_INTERVAL_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
