import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { reconfigured } from '../../domain/voice.ts';
import { assertFormatAllowed } from '../../service/account/tiers.ts';
import { type ContainedAudio, containedAudioForm } from '../rest-speech/contained-audio.ts';
import type { SpeechOrder } from '../rest-speech/generation.ts';
import type { ReplyForm } from '../rest-speech/reply-form.ts';
import { SPEECH_BODY_LIMIT_BYTES, SPEECH_REFUSALS } from '../rest-speech/rest-speech-routes.ts';
import { serveSpeech } from '../rest-speech/serve-speech.ts';
import type { RestSpeechServices } from '../rest-speech/speech-services.ts';
import { assertLength, emptyText } from '../rest-speech/text-request.ts';
import { assertNotForeignBody } from '../wire/foreign-bodies.ts';
import { CARTESIA_ERROR_SHAPE } from './cartesia-errors.ts';
import { containedOutput, rawOutput } from './cartesia-formats.ts';
import { CARTESIA_REPLIES } from './cartesia-reply-schemas.ts';
import { CartesiaSpeechBody } from './cartesia-schemas.ts';
import {
  cartesiaModel,
  cartesiaReading,
  cartesiaSettings,
  cartesiaVoice,
} from './cartesia-speech.ts';
import { speechEvents } from './speech-events.ts';

type SpeakRequest = FastifyRequest<{ Body: CartesiaSpeechBody }>;

interface Route {
  readonly path: 'bytes' | 'sse';
  readonly summary: string;
  readonly description: string;
  readonly audioOf: (body: CartesiaSpeechBody) => ContainedAudio;
  readonly formOf: (audio: ContainedAudio, request: SpeakRequest) => ReplyForm;
}

const ROUTES: readonly Route[] = [
  {
    path: 'bytes',
    summary: 'Speak a text, for clients of Cartesia',
    description: 'The audio as it is made. Errors have Cartesia’s shape.',
    audioOf: ({ output_format }) => containedOutput(output_format ?? {}),
    formOf: containedAudioForm,
  },
  {
    path: 'sse',
    summary: 'Speak a text as events, for clients of Cartesia',
    description: 'Server-sent events: audio as base64, and when words are heard if that is wanted.',
    audioOf: ({ output_format }) => {
      const format = rawOutput(output_format ?? {});
      return { format, isWav: false, contentType: format.contentType };
    },
    formOf: (_audio, { body, id }) => speechEvents(body, id),
  },
];

/** `POST /tts/bytes` and `POST /tts/sse`: Cartesia's speech over HTTP, streamed as it is made. */
export function cartesiaRestRoutes(app: FastifyInstance, services: RestSpeechServices): void {
  for (const route of ROUTES) {
    const { path, summary, description } = route;
    app.withTypeProvider<TypeBoxTypeProvider>().post(
      `/tts/${path}`,
      {
        bodyLimit: SPEECH_BODY_LIMIT_BYTES,
        preValidation: async ({ body }) => assertNotForeignBody(body, 'cartesia'),
        schema: {
          ...{ summary, description, body: CartesiaSpeechBody },
          tags: ['Other vendors’ wires'],
          access: { scope: 'text_to_speech', door: 'cartesia' },
          errors: SPEECH_REFUSALS,
          errorShape: CARTESIA_ERROR_SHAPE,
          response: CARTESIA_REPLIES[path],
        },
      },
      (request, reply) => serve(services, route, request, reply),
    );
  }
}

function serve(
  services: RestSpeechServices,
  { audioOf, formOf }: Route,
  request: SpeakRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const audio = audioOf(request.body);
  return serveSpeech(
    services,
    reply,
    () => readOrder(services, request, audio),
    () => ({ form: formOf(audio, request), isStreamed: true }),
  );
}

/** @throws SpeechError the first complaint: settings, format, text, model, voice. */
async function readOrder(
  { speech }: RestSpeechServices,
  { caller, body, id, log }: SpeakRequest,
  { format }: ContainedAudio,
): Promise<SpeechOrder> {
  const { transcript: text } = body;
  const { voiceSettings = {}, dictionaries = [] } = cartesiaSettings(body);
  assertFormatAllowed(caller, format);
  if (text.trim() === '') throw emptyText();
  const model = cartesiaModel(body);
  assertLength(text, model);
  const voice = await speech.findVoice(caller, cartesiaVoice(body));
  return {
    ...{ caller, log },
    request: { ...cartesiaReading(body, 0), text, model, format, isKept: true },
    voice: reconfigured(voice, voiceSettings),
    dictionaries: await speech.findDictionaries(caller, dictionaries),
    requestId: id,
  };
}
