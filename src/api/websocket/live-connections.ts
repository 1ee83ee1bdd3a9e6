import { type LiveWork, type LiveWorkRegistry, shuttingDown } from '../../domain/live-work.ts';

const POLL_INTERVAL_MS = 50;
/** How long those that were ended may take to tell their other side, and to be accounted for. */
const FAREWELL_MS = 600;

/** The work there is of one kind, so that a shutdown can let it finish. */
export class LiveConnections implements LiveWorkRegistry {
  readonly #connections = new Set<LiveWork>();

  get count(): number {
    return this.#connections.size;
  }

  add(connection: LiveWork): void {
    this.#connections.add(connection);
  }

  delete(connection: LiveWork): void {
    this.#connections.delete(connection);
  }

  /**
   * Ends each once it has nothing left to do, and all of them after `deadlineMs`. Resolves when all
   * are gone, and soon after the deadline even if some are not.
   */
  async drain(deadlineMs: number): Promise<void> {
    const lateAtMs = performance.now() + deadlineMs;
    while (this.#connections.size > 0) {
      const nowMs = performance.now();
      if (nowMs >= lateAtMs + FAREWELL_MS) return;
      for (const connection of this.#connections) {
        if (nowMs >= lateAtMs || !connection.busy) connection.fail(shuttingDown());
      }
      if (this.#connections.size > 0) {
        await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      }
    }
  }
}
