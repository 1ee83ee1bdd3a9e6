import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { countCharacters } from '../../domain/characters.ts';
import { SpeechError } from '../../domain/errors.ts';
import { resolveModel } from '../../domain/model.ts';
import { reconfigured } from '../../domain/voice.ts';
import { assertFormatAllowed } from '../../service/account/tiers.ts';
import { normalises } from '../../synthesis/speech/speech-request.ts';
import type { LatencyLevel } from '../../synthesis/text/chunk-policy.ts';
import { type ContainedAudio, containedAudioForm } from '../rest-speech/contained-audio.ts';
import type { SpeechOrder } from '../rest-speech/generation.ts';
import { SPEECH_BODY_LIMIT_BYTES, SPEECH_REFUSALS } from '../rest-speech/rest-speech-routes.ts';
import { serveSpeech } from '../rest-speech/serve-speech.ts';
import type { RestSpeechServices } from '../rest-speech/speech-services.ts';
import { assertLength, emptyText } from '../rest-speech/text-request.ts';
import { clampedSpeed } from '../wire/clamped-speed.ts';
import { assertNotForeignBody } from '../wire/foreign-bodies.ts';
import { DEEPGRAM_ERROR_SHAPE } from './deepgram-errors.ts';
import { containedAudio, SPEED_RANGE } from './deepgram-formats.ts';
import { deepgramModel } from './deepgram-model.ts';
import {
  DEEPGRAM_SPEAK_REPLIES,
  DeepgramSpeakBody,
  DeepgramSpeakQuery,
} from './deepgram-rest-schemas.ts';

type SpeakRequest = FastifyRequest<{ Querystring: DeepgramSpeakQuery; Body: DeepgramSpeakBody }>;

/** `POST /v1/speak`: Deepgram's speech over HTTP, streamed as it is made. */
export function deepgramRestRoute(app: FastifyInstance, services: RestSpeechServices): void {
  app.withTypeProvider<TypeBoxTypeProvider>().post(
    '/v1/speak',
    {
      bodyLimit: SPEECH_BODY_LIMIT_BYTES,
      preValidation: async ({ body }) => assertNotForeignBody(body, 'deepgram'),
      schema: {
        querystring: DeepgramSpeakQuery,
        body: DeepgramSpeakBody,
        summary: 'Speak a text, for clients of Deepgram',
        description: 'The audio as a stream. Errors have Deepgram’s shape.',
        tags: ['Other vendors’ wires'],
        access: { scope: 'text_to_speech' },
        errors: SPEECH_REFUSALS,
        errorShape: DEEPGRAM_ERROR_SHAPE,
        response: DEEPGRAM_SPEAK_REPLIES,
      },
    },
    (request, reply) => serve(services, request, reply),
  );
}

async function serve(services: RestSpeechServices, request: SpeakRequest, reply: FastifyReply) {
  const text = readText(request.body);
  const { query } = request;
  assertNoCallback(query);
  const audio = containedAudio({
    encoding: query.encoding,
    container: query.container,
    sampleRate: query.sample_rate,
    bitRate: query.bit_rate,
  });
  const speed = clampedSpeed(query.speed, SPEED_RANGE);
  return serveSpeech(
    services,
    reply,
    () => readOrder(services, request, { text, audio, speed }),
    ({ voice }) => {
      const { name, uuid } = deepgramModel(voice.voice);
      reply.headers({
        'dg-request-id': request.id,
        'dg-model-name': name,
        'dg-model-uuid': uuid,
        'dg-char-count': countCharacters(text),
        ...(speed !== undefined && { 'dg-speed-used': speed }),
      });
      return { form: containedAudioForm(audio), isStreamed: true };
    },
  );
}

interface Spoken {
  readonly text: string;
  readonly audio: ContainedAudio;
  readonly speed: number | undefined;
}

async function readOrder(
  { speech }: RestSpeechServices,
  { caller, query, id, log }: SpeakRequest,
  { text, audio, speed }: Spoken,
): Promise<SpeechOrder> {
  const { format } = audio;
  assertFormatAllowed(caller, format);
  const model = resolveModel(undefined);
  assertLength(text, model);
  const latencyLevel = (query.optimize_streaming_latency ?? 0) as LatencyLevel;
  const voice = await speech.findVoice(caller, query.model || undefined);
  return {
    caller,
    request: {
      ...{ text, model, format, latencyLevel, isKept: true },
      normalise: normalises('auto', latencyLevel),
      alignment: 'synchronised',
    },
    voice: reconfigured(voice, speed === undefined ? {} : { speed }),
    dictionaries: await speech.findDictionaries(caller, []),
    requestId: id,
    log,
  };
}

function readText({ text, url }: DeepgramSpeakBody): string {
  if (url != null) {
    throw new SpeechError(
      'invalid_parameters',
      'Text is not fetched from a url here. Send {"text":"…"}.',
      { param: 'url' },
    );
  }
  if (text == null || text.trim() === '') throw emptyText();
  return text;
}

function assertNoCallback({ callback }: DeepgramSpeakQuery): void {
  if (callback == null || callback === '') return;
  throw new SpeechError(
    'invalid_parameters',
    'Nothing is sent to a callback here: the audio is the answer. Leave callback out.',
    { param: 'callback' },
  );
}
