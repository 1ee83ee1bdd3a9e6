import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { BotClient } from './bot-client.ts';

/** What a dialled bot does with one attempt to reach it. */
export type Reception = 'accept' | 'refuse' | 'redirect' | 'hang';

/** Where dialled bots live: a websocket server of one's own. */
export class BotHouse implements AsyncDisposable {
  readonly requests: IncomingMessage[] = [];
  readonly bots: BotClient[] = [];
  readonly #server = createServer();
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #receptions: Reception[];
  #wakers: Array<() => void> = [];

  /** @param receptions of the first attempts, in order; all others are accepted. */
  constructor(...receptions: Reception[]) {
    this.#receptions = receptions;
    this.#server.on('upgrade', (request, socket, head) => {
      this.requests.push(request);
      const reception = this.#receptions.shift() ?? 'accept';
      if (reception === 'accept') {
        this.#sockets.handleUpgrade(request, socket, head, (bot) => this.#moveIn(bot));
      } else if (reception === 'refuse') {
        socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
      } else if (reception === 'redirect') {
        socket.end('HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/elsewhere\r\n\r\n');
      } else {
        // Unread or half open, it would not be seen to close.
        socket.resume().on('end', () => socket.end());
      }
      this.#wake();
    });
  }

  /** @returns `ws://127.0.0.1:port`. */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async nextBot(): Promise<BotClient> {
    await this.until(() => this.bots.length > 0);
    return this.bots[0] as BotClient;
  }

  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) {
      await new Promise<void>((resolve) => {
        this.#wakers.push(resolve);
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#server.closeAllConnections();
    for (const { socket } of this.requests) socket.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #moveIn(socket: WebSocket): void {
    this.bots.push(new BotClient(socket));
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#wakers.splice(0)) wake();
  }
}
