import type { FastifyReply } from 'fastify';
import { toSpeechError } from '../../domain/errors.ts';
import { concurrencyHeaders } from '../../service/account/concurrency-limiter.ts';
import { Generation, type SpeechOrder } from './generation.ts';
import { Presence } from './presence.ts';
import type { ReplyForm } from './reply-form.ts';
import { replyInOne, replyInStream } from './speech-reply.ts';
import type { RestSpeechServices } from './speech-services.ts';

const TOO_MANY_REQUESTS = 429;

/** How a text that has begun to be spoken is answered. */
interface SpeechAnswer {
  readonly form: ReplyForm;
  /** Whether audio is sent as it is made. */
  readonly isStreamed: boolean;
}

/**
 * Speaks one text for one caller over HTTP, whatever the wire.
 *
 * @param readOrder checks the request.
 * @param answerTo says how what is spoken is sent; it may add headers.
 * @throws SpeechError of the work, for the route to tell the caller, if they are still there.
 */
export async function serveSpeech(
  services: RestSpeechServices,
  reply: FastifyReply,
  readOrder: () => Promise<SpeechOrder>,
  answerTo: (order: SpeechOrder) => SpeechAnswer,
): Promise<FastifyReply> {
  const presence = new Presence(reply, services.liveWork);
  let order: SpeechOrder | undefined;
  try {
    order = await readOrder();
    const generation = await Generation.begin(services, order);
    const { form, isStreamed } = answerTo(order);
    const parts = { generation, presence, reply, format: order.request.format, form };
    return await (isStreamed ? replyInStream(parts, services.writeDeadlineMs) : replyInOne(parts));
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
