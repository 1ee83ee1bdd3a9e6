import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type LiveWork, type LiveWorkRegistry, shuttingDown } from '../../domain/live-work.ts';

/** How long a request that a shutdown ends may still take to be answered. */
const LAST_ANSWER_MS = 400;
/** How long connections may take to close by themselves once all work is done. */
const LINGER_MS = 600;
const POLL_INTERVAL_MS = 20;

interface OpenRequest extends LiveWork {
  readonly socket: Socket;
}

/**
 * Takes an HTTP server out of service: refuses what is new, closes connections on which nothing has
 * been asked, and in the end all of them, whatever their other side does. Until the end it listens,
 * so that health checks, and clients with a call going on, get their answers.
 */
export class HttpDrain {
  readonly #liveWork: LiveWorkRegistry;
  readonly #sockets = new Set<Socket>();
  readonly #requests = new Set<OpenRequest>();
  #isDraining = false;

  /**
   * Must be made before the routes are. A route is answered during a shutdown if its `config` says
   * `answersWhileDraining`.
   * @param liveWork takes every request for as long as it is being answered; websockets register
   *   by themselves.
   */
  constructor(app: FastifyInstance, liveWork: LiveWorkRegistry) {
    this.#liveWork = liveWork;
    app.server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    app.addHook('onRequest', async (request, reply) => {
      this.#open(request, reply);
      if (!this.#isDraining) return;
      reply.header('connection', 'close');
      if (!request.routeOptions.config.answersWhileDraining) throw shuttingDown();
    });
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** From now on nothing new is begun. Idempotent. */
  begin(): void {
    this.#isDraining = true;
    this.#closeSilent();
  }

  /** Closes every connection that is left: at once where nothing is being said, and soon the others. */
  async end(): Promise<void> {
    this.#closeSilent();
    const endMs = performance.now() + LINGER_MS;
    while (this.#sockets.size > 0 && performance.now() < endMs) {
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
    for (const socket of this.#sockets) socket.destroy();
  }

  #open({ raw, headers }: FastifyRequest, reply: FastifyReply): void {
    let cut: NodeJS.Timeout | undefined;
    const { socket } = raw;
    const open: OpenRequest = {
      socket,
      busy: true,
      fail: () => {
        cut ??= setTimeout(() => socket.destroy(), LAST_ANSWER_MS);
      },
    };
    this.#requests.add(open);
    if (headers.upgrade === undefined && !this.#isDraining) this.#liveWork.add(open);
    reply.raw.once('close', () => {
      clearTimeout(cut);
      this.#requests.delete(open);
      this.#liveWork.delete(open);
    });
  }

  /** Idle ones, those that never said a word, and those whose request is not all there. */
  #closeSilent(): void {
    const asking = new Set([...this.#requests].map(({ socket }) => socket));
    for (const socket of this.#sockets) if (!asking.has(socket)) socket.destroy();
  }
}
