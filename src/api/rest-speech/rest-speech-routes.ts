import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../../domain/account.ts';
import type { OutputFormat } from '../../domain/audio.ts';
import { type ErrorCode, SpeechError } from '../../domain/errors.ts';
import { reconfigured } from '../../domain/voice.ts';
import { assertFormatAllowed } from '../../service/account/tiers.ts';
import { assertNotForeignBody } from '../wire/foreign-bodies.ts';
import type { SpeechOrder } from './generation.ts';
import { AUDIO, type ReplyForm, TIMESTAMPS } from './reply-form.ts';
import { speechReplies } from './reply-schemas.ts';
import { serveSpeech } from './serve-speech.ts';
import {
  SpeechBody,
  SpeechParams,
  SpeechQuery,
  type WireSpeechBody,
  type WireSpeechQuery,
} from './speech-schemas.ts';
import type { RestSpeechServices } from './speech-services.ts';
import { readTextRequest } from './text-request.ts';

const PATH = '/v1/text-to-speech/:voice_id';
/** The longest text that a model takes, were every character written as a JSON escape, and some more. */
export const SPEECH_BODY_LIMIT_BYTES = 256 * 1024;

interface Route {
  readonly path: string;
  readonly form: ReplyForm;
  readonly isStreamed: boolean;
  readonly summary: string;
  readonly description: string;
}

const ROUTES: readonly Route[] = [
  {
    path: '',
    form: AUDIO,
    isStreamed: false,
    summary: 'Speak a text',
    description: 'The audio, in one piece, when all of it is made.',
  },
  {
    path: '/stream',
    form: AUDIO,
    isStreamed: true,
    summary: 'Speak a text as a stream',
    description: 'The audio, from its first tenth of a second on, as fast as it is read.',
  },
  {
    path: '/with-timestamps',
    form: TIMESTAMPS,
    isStreamed: false,
    summary: 'Speak a text, with times',
    description: 'The audio as base64, and when each character is heard.',
  },
  {
    path: '/stream/with-timestamps',
    form: TIMESTAMPS,
    isStreamed: true,
    summary: 'Speak a text as a stream, with times',
    description:
      'Newline-delimited JSON: each line has a piece of the audio as base64, and when each character that starts in it is heard, from the start of the audio.',
  },
];

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

interface SpeechHttpRequest {
  Params: { voice_id: string };
  Querystring: WireSpeechQuery;
  Body: WireSpeechBody;
}

/** Text-to-speech over HTTP: in one piece or streamed, with or without times. */
export function restSpeechRoutes(app: FastifyInstance, services: RestSpeechServices): void {
  for (const { path, summary, description, ...route } of ROUTES) {
    app.withTypeProvider<TypeBoxTypeProvider>().post(
      PATH + path,
      {
        bodyLimit: SPEECH_BODY_LIMIT_BYTES,
        preValidation: async ({ body }) => assertNotForeignBody(body, 'firstWire'),
        schema: {
          params: SpeechParams,
          querystring: SpeechQuery,
          body: SpeechBody,
          summary,
          description,
          tags: ['Text to speech'],
          access: { scope: 'text_to_speech' },
          errors: SPEECH_REFUSALS,
          response: speechReplies(route.form, route.isStreamed),
        },
      },
      (request, reply) =>
        serveSpeech(
          services,
          reply,
          () => readOrder(services, request, route.isStreamed),
          () => route,
        ),
    );
  }
}

/** @throws SpeechError in the order of PROTOCOL §3.2, after key and schema: format, text, seed, lists, model, voice. */
async function readOrder(
  services: RestSpeechServices,
  http: FastifyRequest<SpeechHttpRequest>,
  isStreamed: boolean,
): Promise<SpeechOrder> {
  const { caller } = http;
  const request = readTextRequest(http.body, http.query, (format) =>
    assertFormatFits(caller, format, isStreamed),
  );
  const { findVoice, findDictionaries } = services.speech;
  const voice = await findVoice(caller, http.params.voice_id);
  return {
    caller,
    request,
    voice: reconfigured(voice, request.voiceSettings),
    dictionaries: await findDictionaries(caller, request.dictionaries ?? []),
    requestId: http.id,
    log: http.log,
  };
}

/** @throws SpeechError when the caller may not have a format, or a route cannot give it. */
export function assertFormatFits(caller: Caller, format: OutputFormat, isStreamed: boolean): void {
  if (isStreamed && !format.isStreamable) {
    throw new SpeechError(
      'invalid_output_format',
      `${format.name} says how long it is before it begins, so it cannot be streamed. Use ${format.name.replace('wav', 'pcm')}, or the route without /stream.`,
      { param: 'output_format' },
    );
  }
  assertFormatAllowed(caller, format);
}
