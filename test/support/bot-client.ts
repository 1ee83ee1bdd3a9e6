import { WebSocket } from 'ws';

/** An event as a bot reads it. */
export type BotEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** A bot's end of a websocket: keeps what it is told, for tests to wait on. */
export class BotClient {
  readonly events: BotEvent[] = [];
  readonly binary: Buffer[] = [];
  readonly socket: WebSocket;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  #wakers: Array<() => void> = [];

  /** @param socket an address to connect to, or the connection that a server has taken. */
  constructor(socket: string | WebSocket, headers: Readonly<Record<string, string>> = {}) {
    this.socket = typeof socket === 'string' ? new WebSocket(socket, { headers }) : socket;
    this.socket.on('message', (data, isBinary) => {
      if (isBinary) this.binary.push(data as Buffer);
      else this.events.push(JSON.parse(String(data)) as BotEvent);
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => {
        resolve({ code, reason: String(reason) });
        this.#wake();
      });
    });
  }

  send(...messages: ReadonlyArray<object | string | Uint8Array>): void {
    for (const message of messages) {
      const isRaw = typeof message === 'string' || message instanceof Uint8Array;
      this.socket.send(isRaw ? message : JSON.stringify(message));
    }
  }

  async opened(): Promise<void> {
    if (this.socket.readyState === WebSocket.OPEN) return;
    await new Promise<void>((resolve, reject) => {
      this.socket.once('open', resolve);
      this.socket.once('error', reject);
    });
  }

  /** Waits for the first event of a type, among those that have come and those to come. */
  async next(type: string, fits: (event: BotEvent) => boolean = () => true): Promise<BotEvent> {
    while (true) {
      const found = this.events.find((event) => event.type === type && fits(event));
      if (found) return found;
      if (this.socket.readyState === WebSocket.CLOSED) {
        throw new Error(
          `Closed before "${type}" came, after ${this.events.map((event) => event.type).join(', ')}.`,
        );
      }
      await new Promise<void>((resolve) => {
        this.#wakers.push(resolve);
      });
    }
  }

  async nextBinary(): Promise<Buffer> {
    while (this.binary.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wakers.push(resolve);
      });
    }
    return this.binary[0] as Buffer;
  }

  #wake(): void {
    for (const wake of this.#wakers.splice(0)) wake();
  }
}
