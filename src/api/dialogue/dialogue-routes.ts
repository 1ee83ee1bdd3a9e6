import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ConfiguredVoice, reconfigured } from '../../domain/voice.ts';
import type { DialogueLine, SpeechOrder } from '../rest-speech/generation.ts';
import { AUDIO, base64, type ReplyForm, TIMESTAMPS } from '../rest-speech/reply-form.ts';
import { speechReplies } from '../rest-speech/reply-schemas.ts';
import {
  assertFormatFits,
  SPEECH_BODY_LIMIT_BYTES,
  SPEECH_REFUSALS,
} from '../rest-speech/rest-speech-routes.ts';
import { serveSpeech } from '../rest-speech/serve-speech.ts';
import { SpeechQuery, type WireSpeechQuery } from '../rest-speech/speech-schemas.ts';
import type { RestSpeechServices } from '../rest-speech/speech-services.ts';
import { wireTimestamps } from '../rest-speech/timestamps.ts';
import { readDialogueRequest } from './dialogue-request.ts';
import { DialogueBody, TimedDialogue, type WireDialogueBody } from './dialogue-schemas.ts';
import { voiceSegments } from './voice-segments.ts';

interface Route {
  readonly path: string;
  readonly isTimed: boolean;
  readonly isStreamed: boolean;
  readonly summary: string;
  readonly description: string;
}

const ROUTES: readonly Route[] = [
  {
    path: '',
    isTimed: false,
    isStreamed: false,
    summary: 'Speak a dialogue',
    description: 'The audio of all voices, one after another, in one piece.',
  },
  {
    path: '/stream',
    isTimed: false,
    isStreamed: true,
    summary: 'Speak a dialogue as a stream',
    description: 'The audio of all voices, one after another, as it is made.',
  },
  {
    path: '/with-timestamps',
    isTimed: true,
    isStreamed: false,
    summary: 'Speak a dialogue, with times',
    description: 'The audio as base64, when each character is heard, and who speaks when.',
  },
  {
    path: '/stream/with-timestamps',
    isTimed: true,
    isStreamed: true,
    summary: 'Speak a dialogue as a stream, with times',
    description:
      'Newline-delimited JSON: each line has a piece of the audio as base64, when each character that starts in it is heard, from the start of the audio, and who says it.',
  },
];

interface DialogueHttpRequest {
  Querystring: WireSpeechQuery;
  Body: WireDialogueBody;
}

/** Dialogues over HTTP: in one piece or streamed, with or without times. */
export function dialogueRoutes(app: FastifyInstance, services: RestSpeechServices): void {
  for (const { path, summary, description, isTimed, isStreamed } of ROUTES) {
    app.withTypeProvider<TypeBoxTypeProvider>().post(
      `/v1/text-to-dialogue${path}`,
      {
        bodyLimit: SPEECH_BODY_LIMIT_BYTES,
        schema: {
          querystring: SpeechQuery,
          body: DialogueBody,
          summary,
          description,
          tags: ['Text to dialogue'],
          access: { scope: 'text_to_speech' },
          errors: SPEECH_REFUSALS,
          response: speechReplies(isTimed ? TIMESTAMPS : AUDIO, isStreamed, TimedDialogue),
        },
      },
      (request, reply) => serve(services, request, reply, { isTimed, isStreamed }),
    );
  }
}

function serve(
  services: RestSpeechServices,
  request: FastifyRequest<DialogueHttpRequest>,
  reply: FastifyReply,
  { isTimed, isStreamed }: Pick<Route, 'isTimed' | 'isStreamed'>,
) {
  return serveSpeech(
    services,
    reply,
    () => readOrder(services, request, isStreamed),
    () => {
      const voiceIds = request.body.inputs.map(({ voice_id }) => voice_id);
      return { form: isTimed ? timestampsOf(voiceIds) : AUDIO, isStreamed };
    },
  );
}

/** @throws SpeechError in the order of PROTOCOL §3.2; no voice is looked up before the rest is right. */
async function readOrder(
  { speech }: RestSpeechServices,
  http: FastifyRequest<DialogueHttpRequest>,
  isStreamed: boolean,
): Promise<SpeechOrder> {
  const { caller, body, log } = http;
  const request = readDialogueRequest(body, http.query, (format) =>
    assertFormatFits(caller, format, isStreamed),
  );
  const found = new Map<string, ConfiguredVoice>();
  const lines: DialogueLine[] = [];
  for (const { text, voice_id } of body.inputs) {
    const known = found.get(voice_id) ?? (await speech.findVoice(caller, voice_id));
    found.set(voice_id, known);
    lines.push({ text, voice: reconfigured(known, request.voiceSettings) });
  }
  const [first, ...others] = lines;
  if (!first) throw new Error('A dialogue without lines passed its schema.');
  return {
    ...{ caller, request, log },
    voice: first.voice,
    dialogue: [first, ...others],
    dictionaries: await speech.findDictionaries(caller, request.dictionaries ?? []),
    requestId: http.id,
  };
}

/** As `TIMESTAMPS`, and who speaks when. */
function timestampsOf(voiceIds: readonly string[]): ReplyForm {
  const write = (audio: Uint8Array, alignment: Parameters<typeof wireTimestamps>[0]) =>
    JSON.stringify({
      audio_base64: base64(audio),
      ...wireTimestamps(alignment),
      voice_segments: voiceSegments(alignment, voiceIds),
    });
  return {
    contentType: TIMESTAMPS.contentType,
    whole: (audio, { alignment }) => write(audio, alignment),
    frame: ({ audio, alignment }) => `${write(audio, alignment)}\n`,
  };
}
