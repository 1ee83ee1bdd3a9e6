import type { ServerProcess } from '../latency/server-process.ts';

const INTERVAL_MS = 100;
/** prom-client's gauge: the longest that the loop was held up since the metrics were asked for last. */
const LONGEST_DELAY = /^nodejs_eventloop_lag_max_seconds (\S+)$/m;

/** Watches a server from outside while it is attacked. */
export class ServerWatch {
  readonly #server: ServerProcess;
  readonly #timer: NodeJS.Timeout;
  #peakBytes = 0;

  private constructor(server: ServerProcess) {
    this.#server = server;
    this.#timer = setInterval(() => this.#look(), INTERVAL_MS);
  }

  static async begin(server: ServerProcess): Promise<ServerWatch> {
    await longestDelayMs(server);
    return new ServerWatch(server);
  }

  /** @returns null where the system does not tell, or the server is dead. */
  async end(): Promise<{ peakBytes: number; loopDelayMs: number | null }> {
    clearInterval(this.#timer);
    this.#look();
    return { peakBytes: this.#peakBytes, loopDelayMs: await longestDelayMs(this.#server) };
  }

  #look(): void {
    this.#peakBytes = Math.max(this.#peakBytes, this.#server.residentBytes() ?? 0);
  }
}

async function longestDelayMs(server: ServerProcess): Promise<number | null> {
  try {
    const [, seconds] = LONGEST_DELAY.exec(await server.metrics()) ?? [];
    return seconds === undefined ? null : 1000 * Number(seconds);
  } catch {
    return null;
  }
}
