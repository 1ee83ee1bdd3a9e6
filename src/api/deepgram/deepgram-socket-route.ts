import type { FastifyInstance } from 'fastify';
import type { Voice } from '../../domain/voice.ts';
import { HandshakeAdmissions } from '../stream/handshake-admissions.ts';
import { askForSpeechUpgrade, openSpeechConnection } from '../stream/speech-connection.ts';
import type { StreamServices } from '../stream/stream-services.ts';
import { DeepgramDialect } from './deepgram-dialect.ts';
import { DEEPGRAM_ERROR_SHAPE } from './deepgram-errors.ts';
import { writeReply } from './deepgram-frames.ts';
import { deepgramModel } from './deepgram-model.ts';
import {
  deepgramRequest,
  deepgramVoice,
  deepgramVoiceSettings,
  deepgramWarnings,
} from './deepgram-socket-query.ts';

/** As long as the original keeps a session. Connections that are dead are found by their heartbeat. */
const INACTIVITY_MS = 3_600_000;

interface SpeakRequest {
  Querystring: Record<string, unknown>;
}

/**
 * `WS /v1/speak`, as Deepgram's clients stream text. The key comes with the handshake, whose answer
 * says what is wrong with it or with the query.
 */
export function deepgramSocketRoute(app: FastifyInstance, services: StreamServices): void {
  const admissions = new HandshakeAdmissions();
  app.route<SpeakRequest>({
    method: 'GET',
    url: '/v1/speak',
    // The key is asked for below, so that a plain request is told that this is a websocket.
    schema: {
      access: { scope: 'text_to_speech', door: 'socket', tokens: ['tts_websocket'], key: 'later' },
      errorShape: DEEPGRAM_ERROR_SHAPE,
    },
    preValidation: async (request) => {
      if (!request.ws) return;
      const { query } = request;
      const ask = {
        voiceId: deepgramVoice(query),
        voiceSettings: deepgramVoiceSettings(query),
        readRequest: () => deepgramRequest(query),
      };
      await admissions.check(request, ask, services);
    },
    handler: askForSpeechUpgrade,
    wsHandler: (socket, request) => {
      const admission = admissions.of(request);
      openSpeechConnection(
        socket,
        request,
        {
          dialect: new DeepgramDialect(request.id),
          inactivityTimeoutMs: INACTIVITY_MS,
          hasContexts: false,
          greeting: greeting(request.id, admission.voice.voice, deepgramWarnings(request.query)),
          admit: async () => admission,
        },
        services,
      );
    },
  });
}

function greeting(requestId: string, voice: Voice, warnings: readonly string[]): readonly string[] {
  const { name, version, uuid } = deepgramModel(voice);
  return [
    writeReply({
      type: 'Metadata',
      request_id: requestId,
      model_name: name,
      model_version: version,
      model_uuid: uuid,
    }),
    ...warnings.map((description) =>
      writeReply({ type: 'Warning', code: 'PARAMETER_NOT_USED', description }),
    ),
  ];
}
