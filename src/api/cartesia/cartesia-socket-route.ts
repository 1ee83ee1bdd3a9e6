import type { FastifyInstance } from 'fastify';
import { askForSpeechUpgrade, openSpeechConnection } from '../stream/speech-connection.ts';
import type { StreamServices } from '../stream/stream-services.ts';
import type { SocketSession } from '../websocket/socket-session.ts';
import { BufferDelays } from './buffer-delays.ts';
import { CartesiaContexts } from './cartesia-contexts.ts';
import { CartesiaDialect } from './cartesia-dialect.ts';
import { CARTESIA_ERROR_SHAPE } from './cartesia-errors.ts';

/** As long as the original keeps a connection that is not used. */
const INACTIVITY_MS = 300_000;

interface SpeakRequest {
  Querystring: Record<string, unknown>;
}

/**
 * `WS /tts/websocket`, as Cartesia's clients stream text. The key comes with the handshake, whose
 * answer says what is wrong with it; voice, format and model come with each context.
 */
export function cartesiaSocketRoute(app: FastifyInstance, services: StreamServices): void {
  app.route<SpeakRequest>({
    method: 'GET',
    url: '/tts/websocket',
    // The key is asked for below, so that a plain request is told that this is a websocket.
    schema: {
      access: {
        scope: 'text_to_speech',
        door: 'cartesia',
        tokens: ['tts_websocket'],
        key: 'later',
      },
      errorShape: CARTESIA_ERROR_SHAPE,
    },
    preValidation: async (request) => {
      if (request.ws) request.vouch(await request.identify());
    },
    handler: askForSpeechUpgrade,
    wsHandler: (socket, request) => {
      const { id, caller, log } = request;
      const contexts = new CartesiaContexts({ id, caller, log }, services.speech);
      const delays = new BufferDelays((contextId) => connection.speakHeld(contextId));
      socket.once('close', () => delays.close());
      const connection: SocketSession = openSpeechConnection(
        socket,
        request,
        {
          dialect: new CartesiaDialect(id, {
            onAsked: (contextId, message) => contexts.ask(contextId, message),
            onHeld: (contextId, delayMs) => delays.set(contextId, delayMs),
            onEnded: (contextId) => contexts.forget(contextId),
          }),
          inactivityTimeoutMs: INACTIVITY_MS,
          hasContexts: true,
          endsContextAlone: () => true,
          admit: async () => contexts,
        },
        services,
      );
    },
  });
}
