import type { FastifyReply } from 'fastify';
import { type ErrorCode, toSpeechError } from '../../domain/errors.ts';
import { concurrencyHeaders } from '../../service/account/concurrency-limiter.ts';
import { Generation, type SpeechOrder } from './generation.ts';
import { Presence } from './presence.ts';
import type { ReplyForm } from './reply-form.ts';
import { replyInOne, replyInStream } from './speech-reply.ts';
import type { RestSpeechServices } from './speech-services.ts';

/** The longest text that a model takes, were every character written as a JSON escape, and some more. */
export const SPEECH_BODY_LIMIT_BYTES = 256 * 1024;

/** What a request to speak may be refused with, besides what any request may. */
export const SPEECH_REFUSALS: readonly ErrorCode[] = [
  'invalid_output_format',
  'output_format_not_allowed',
  'empty_text',
  'invalid_parameters',
  'invalid_voice_settings',
  'unsupported_model',
  'text_too_long',
  'voice_id_does_not_exist',
  'voice_not_ready',
  'voice_not_prepared',
  'voice_file_corrupt',
  'unsupported_script',
  'too_many_concurrent_requests',
  'system_busy',
  'quota_exceeded',
  'storage_unavailable',
  'shutting_down',
  'synthesis_failed',
];

const TOO_MANY_REQUESTS = 429;
const DEFAULT_WRITE_DEADLINE_MS = 30_000;

/** How a text is answered. */
export interface SpeechAnswer {
  readonly form: ReplyForm;
  /** From the first frame on; a format that cannot be streamed comes in one piece all the same. */
  readonly isStreamed: boolean;
}

/**
 * Speaks a text for whoever asked over HTTP, on any wire.
 *
 * @param readOrder checks the request and throws the SpeechError that refuses it.
 */
export async function serveSpeech(
  services: RestSpeechServices,
  reply: FastifyReply,
  readOrder: () => Promise<SpeechOrder>,
  { form, isStreamed }: SpeechAnswer,
) {
  const presence = new Presence(reply, services.liveWork);
  let order: SpeechOrder | undefined;
  try {
    order = await readOrder();
    const { format } = order.request;
    const generation = await Generation.begin(services, order);
    const answer = { generation, presence, reply, format, form };
    if (!isStreamed || !format.isStreamable) return await replyInOne(answer);
    return await replyInStream(answer, services.writeDeadlineMs ?? DEFAULT_WRITE_DEADLINE_MS);
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
