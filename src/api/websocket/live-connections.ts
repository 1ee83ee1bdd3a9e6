import { SpeechError } from '../../domain/errors.ts';

/** What a live connection must be able to do when the server goes down. */
export interface Connection {
  readonly busy: boolean;
  fail(error: SpeechError): void;
}

const POLL_INTERVAL_MS = 50;

/** The connections there are, so that a shutdown can let them finish their sentence. */
export class LiveConnections {
  readonly #connections = new Set<Connection>();

  get count(): number {
    return this.#connections.size;
  }

  add(connection: Connection): void {
    this.#connections.add(connection);
  }

  delete(connection: Connection): void {
    this.#connections.delete(connection);
  }

  /** Closes each connection once it has nothing left to say, and all of them after `deadlineMs`. */
  async drain(deadlineMs: number): Promise<void> {
    const giveUpAt = performance.now() + deadlineMs;
    while (this.#connections.size > 0) {
      const late = performance.now() >= giveUpAt;
      for (const connection of this.#connections) {
        if (late || !connection.busy) connection.fail(shuttingDown());
      }
      if (this.#connections.size > 0) {
        await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      }
    }
  }
}

function shuttingDown(): SpeechError {
  return new SpeechError('shutting_down', 'The server is shutting down. Connect again.');
}
