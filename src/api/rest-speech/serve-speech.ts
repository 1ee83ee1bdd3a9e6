import type { FastifyReply } from 'fastify';
import { toSpeechError } from '../../domain/errors.ts';
import { concurrencyHeaders } from '../../service/account/concurrency-limiter.ts';
import { Generation, type SpeechOrder } from './generation.ts';
import { Presence } from './presence.ts';
import type { RestSpeechServices } from './speech-services.ts';

const TOO_MANY_REQUESTS = 429;

/** What a text that has begun to be spoken is answered with. */
export interface BegunSpeech {
  readonly order: SpeechOrder;
  readonly generation: Generation;
  readonly presence: Presence;
}

/**
 * Speaks one text for one caller over HTTP, whatever the wire.
 *
 * @param readOrder checks the request.
 * @param answer sends what is spoken.
 * @throws SpeechError of either, for the route to tell the caller, if they are still there.
 */
export async function serveSpeech(
  services: RestSpeechServices,
  reply: FastifyReply,
  readOrder: () => Promise<SpeechOrder>,
  answer: (speech: BegunSpeech) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const presence = new Presence(reply, services.liveWork);
  let order: SpeechOrder | undefined;
  try {
    order = await readOrder();
    const generation = await Generation.begin(services, order);
    return await answer({ order, generation, presence });
  } catch (thrown) {
    // Nobody is left to be told, and an abort that they caused is no failure of ours.
    if (presence.hasLeft) return reply.hijack();
    if (order && toSpeechError(thrown).row.http === TOO_MANY_REQUESTS) {
      const { caller, request } = order;
      reply.headers(concurrencyHeaders(services.concurrency.look(caller, request.model)));
    }
    throw thrown;
  }
}
