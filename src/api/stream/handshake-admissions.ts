import type { FastifyRequest } from 'fastify';
import { type Ask, admit, type SpeechSocketRequest, type StreamAdmission } from './admission.ts';
import type { StreamServices } from './stream-services.ts';

/**
 * Connections that are checked before their upgrade is answered: for wires whose clients give the key
 * with the handshake and are told by its answer who may not speak.
 */
export class HandshakeAdmissions {
  readonly #admissions = new WeakMap<FastifyRequest, StreamAdmission>();

  /** @throws SpeechError the first complaint, to be answered over HTTP. */
  async check(request: SpeechSocketRequest, ask: Ask, services: StreamServices): Promise<void> {
    const admission = await admit(request, undefined, ask, services);
    this.#admissions.set(request as FastifyRequest, admission);
  }

  /** The admission of a connection that was checked. */
  of(request: SpeechSocketRequest): StreamAdmission {
    const admission = this.#admissions.get(request as FastifyRequest);
    if (!admission) throw new Error('A websocket was opened that was not let in.');
    return admission;
  }
}
