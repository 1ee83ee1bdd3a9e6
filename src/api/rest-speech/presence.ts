import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { SpeechError } from '../../domain/errors.ts';
import type { LiveWork, LiveWorkRegistry } from '../../domain/live-work.ts';

/** Whether somebody still waits for a reply; work for nobody is stopped by the signal. */
export class Presence implements LiveWork {
  readonly busy = true;
  readonly #abort = new AbortController();
  readonly #response: ServerResponse;

  constructor({ raw, log }: FastifyReply, liveWork: LiveWorkRegistry) {
    this.#response = raw;
    liveWork.add(this);
    raw.once('close', () => {
      liveWork.delete(this);
      if (this.hasLeft) log.info({}, 'the reply ended early');
      this.#abort.abort();
    });
  }

  /** Aborts when the caller has left, or when the request is ended from our side. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether the caller went away before they had everything. */
  get hasLeft(): boolean {
    return this.#response.closed && !this.#response.writableFinished;
  }

  fail(error: SpeechError): void {
    this.#abort.abort(error);
  }

  /** Ends the connection: a client that is still there sees the reply break off. */
  cut(): void {
    this.#response.destroy();
  }
}
