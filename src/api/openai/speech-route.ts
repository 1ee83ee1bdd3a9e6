import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { reconfigured } from '../../domain/voice.ts';
import { assertFormatAllowed } from '../../service/account/tiers.ts';
import type { AccountVoices } from '../../service/voices/known-voice.ts';
import type { SpeechOrder } from '../rest-speech/generation.ts';
import { AUDIO } from '../rest-speech/reply-form.ts';
import { SPEECH_BODY_LIMIT_BYTES, SPEECH_REFUSALS } from '../rest-speech/rest-speech-routes.ts';
import { serveSpeech } from '../rest-speech/serve-speech.ts';
import type { RestSpeechServices } from '../rest-speech/speech-services.ts';
import { assertNotForeignBody } from '../wire/foreign-bodies.ts';
import { OPENAI_ERROR_SHAPE } from './openai-errors.ts';
import { SPEECH_EVENTS } from './speech-events.ts';
import { namedVoice, readOpenAiRequest } from './speech-request.ts';
import { OpenAiSpeechBody, OpenAiSpeechReply, type WireOpenAiSpeech } from './speech-schema.ts';
import { findNamedVoice } from './voice-names.ts';

/** `POST /v1/audio/speech`. */
export function speechRoute(
  app: FastifyInstance,
  services: RestSpeechServices,
  voices: AccountVoices,
): void {
  app.withTypeProvider<TypeBoxTypeProvider>().post(
    '/v1/audio/speech',
    {
      bodyLimit: SPEECH_BODY_LIMIT_BYTES,
      preValidation: async ({ body }) => assertNotForeignBody(body, 'openai'),
      schema: {
        summary: 'Speak a text, as OpenAI does',
        description: 'The audio as it is made, or server-sent events that carry it.',
        tags: ['Other vendors’ wires'],
        body: OpenAiSpeechBody,
        access: { scope: 'text_to_speech' },
        errors: SPEECH_REFUSALS,
        errorShape: OPENAI_ERROR_SHAPE,
        response: { 200: OpenAiSpeechReply },
      },
    },
    (request, reply) =>
      serveSpeech(
        services,
        reply,
        () => readOrder(services, voices, request),
        (order) => ({
          form: request.body.stream_format === 'sse' ? SPEECH_EVENTS : AUDIO,
          isStreamed: order.request.format.isStreamable,
        }),
      ),
  );
}

async function readOrder(
  { speech }: RestSpeechServices,
  voices: AccountVoices,
  http: FastifyRequest<{ Body: WireOpenAiSpeech }>,
): Promise<SpeechOrder> {
  const { caller, body, log } = http;
  const request = readOpenAiRequest(body, (format) => assertFormatAllowed(caller, format));
  const voice = await findNamedVoice(speech.findVoice, voices, caller, namedVoice(body));
  return {
    ...{ caller, request, log },
    voice: reconfigured(voice, request.voiceSettings),
    dictionaries: await speech.findDictionaries(caller, []),
    requestId: http.id,
  };
}
