import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedPost {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What to answer a post with: a status, with headers if need be; `hang` never answers. */
export type Answer = number | readonly [status: number, headers: Record<string, string>] | 'hang';

/** A certificate for localhost, and its key, which nobody trusts who is not told to. */
export const LOCALHOST_CERTIFICATE = fixture('localhost-certificate.pem');

/** A real server on loopback that takes webhooks; it keeps them and answers as it is told. */
export class WebhookReceiver {
  readonly received: ReceivedPost[] = [];
  /** Answers in turn; the last one for all further posts. */
  answers: Answer[] = [200];
  port = 0;
  readonly #server: Server;

  private constructor(secure: boolean) {
    const listener: RequestListener = (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text) => {
        body += text;
      });
      request.on('end', () => {
        this.received.push({ path: request.url ?? '', headers: request.headers, body });
        const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
        if (answer === 'hang' || answer === undefined) return;
        const [status, headers] = typeof answer === 'number' ? [answer, {}] : answer;
        response.writeHead(status, headers).end('thanks');
      });
    };
    const tls = {
      cert: readFileSync(LOCALHOST_CERTIFICATE),
      key: readFileSync(fixture('localhost-key.pem')),
    };
    this.#server = secure ? createTlsServer(tls, listener) : createServer(listener);
  }

  /** @param secure whether it speaks TLS. */
  static async start(secure = false): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(secure);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    receiver.port = (receiver.#server.address() as AddressInfo).port;
    onTestFinished(() => receiver.stop());
    return receiver;
  }

  /** Idempotent. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Over http, by address. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** Waits until so many posts have come. */
  async has(count: number): Promise<readonly ReceivedPost[]> {
    while (this.received.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    return this.received;
  }
}

function fixture(name: string): string {
  return new URL(`../fixtures/webhooks/${name}`, import.meta.url).pathname;
}
