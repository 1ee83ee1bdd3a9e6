import type { FastifyInstance } from 'fastify';
import { traceIdOf } from '../websocket/trace-id.ts';
import { HandshakeAdmissions } from './handshake-admissions.ts';
import { jambonzDialect } from './jambonz-dialect.ts';
import { jambonzConnect } from './jambonz-frames.ts';
import { jambonzRequest, jambonzVoice } from './jambonz-query.ts';
import { askForSpeechUpgrade, openSpeechConnection } from './speech-connection.ts';
import type { StreamServices } from './stream-services.ts';

/**
 * The bot of a call may be silent for as long as its caller talks, and jambonz sends nothing then.
 * Connections that are dead are found by their heartbeat.
 */
const INACTIVITY_MS = 3_600_000;

interface JambonzRequest {
  Params: { voiceId: string };
  Querystring: Record<string, unknown>;
}

/**
 * `WS /v1/text-to-speech/{voice_id}/jambonz`, an address for jambonz's `custom_tts_streaming_url`.
 * jambonz gives its key with the handshake and waits to be spoken to, so that who may not speak is
 * told so by the answer to the handshake, which jambonz reports as a failed connection.
 */
export function jambonzRoute(app: FastifyInstance, services: StreamServices): void {
  const admissions = new HandshakeAdmissions();
  app.route<JambonzRequest>({
    method: 'GET',
    url: '/v1/text-to-speech/:voiceId/jambonz',
    // Asked below, so that a plain request is told that this is a websocket.
    schema: {
      access: { scope: 'text_to_speech', door: 'socket', tokens: ['tts_websocket'], key: 'later' },
    },
    preValidation: async (request) => {
      if (!request.ws) return;
      const ask = {
        voiceId: jambonzVoice(request.query) ?? request.params.voiceId,
        readRequest: () => jambonzRequest(request.query),
      };
      await admissions.check(request, ask, services);
    },
    handler: askForSpeechUpgrade,
    wsHandler: (socket, request) => {
      const { sampleRate } = jambonzRequest(request.query).format;
      openSpeechConnection(
        socket,
        request,
        {
          dialect: jambonzDialect,
          inactivityTimeoutMs: INACTIVITY_MS,
          hasContexts: false,
          greeting: [jambonzConnect(sampleRate, traceIdOf(request.id, 0))],
          admit: async () => admissions.of(request),
        },
        services,
      );
    },
  });
}
