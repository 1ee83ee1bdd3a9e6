import type { FastifyInstance } from 'fastify';
import type { Credentials } from '../../domain/account.ts';
import { resolveModel } from '../../domain/model.ts';
import type { Dialect } from '../websocket/dialect.ts';
import { admit } from './admission.ts';
import { inactivityTimeoutMs, parseConnectQuery, text } from './connect-query.ts';
import { jambonzRoute } from './jambonz-route.ts';
import { multiStreamDialect } from './multi-stream-dialect.ts';
import { askForSpeechUpgrade, openSpeechConnection } from './speech-connection.ts';
import { streamInputDialect } from './stream-input-dialect.ts';
import type { StreamServices } from './stream-services.ts';

const DEFAULT_INACTIVITY_MS = 20_000;
/** A key may also come with the first message, and what is wrong with it is said after that. */
export const SPEECH_SOCKET_ACCESS = {
  scope: 'text_to_speech',
  door: 'socket',
  tokens: ['tts_websocket'],
  key: 'later',
} as const;

/** One row a websocket of the original's: its path under a voice, and its wire language. */
const STREAMS: ReadonlyArray<{
  readonly path: string;
  readonly dialect: Dialect;
  readonly hasContexts: boolean;
}> = [
  { path: 'stream-input', dialect: streamInputDialect, hasContexts: false },
  { path: 'multi-stream-input', dialect: multiStreamDialect, hasContexts: true },
];

interface VoiceRequest {
  Params: { voiceId: string };
  Querystring: Record<string, unknown>;
}

/** The streaming websockets. A model that does not exist is refused before the upgrade (PROTOCOL §1). */
export function streamRoutes(app: FastifyInstance, services: StreamServices): void {
  for (const { path, ...door } of STREAMS) {
    app.route<VoiceRequest>({
      method: 'GET',
      url: `/v1/text-to-speech/:voiceId/${path}`,
      schema: { access: SPEECH_SOCKET_ACCESS },
      preValidation: async (request) => {
        resolveModel(text(request.query, 'model_id'));
      },
      handler: askForSpeechUpgrade,
      wsHandler: (socket, request) => {
        const ask = {
          voiceId: request.params.voiceId,
          readRequest: () => parseConnectQuery(request.query),
        };
        const speechDoor = {
          ...door,
          inactivityTimeoutMs: timeoutOrDefault(request.query),
          admit: (carried: Credentials | undefined) => admit(request, carried, ask, services),
        };
        openSpeechConnection(socket, request, speechDoor, services);
      },
    });
  }
  jambonzRoute(app, services);
}

/** A wrong timeout is reported with the rest of the query, after the first frame. */
export function timeoutOrDefault(query: Record<string, unknown>): number {
  try {
    return inactivityTimeoutMs(query);
  } catch {
    return DEFAULT_INACTIVITY_MS;
  }
}
