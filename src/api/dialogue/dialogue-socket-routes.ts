import type { FastifyInstance } from 'fastify';
import { resolveModel } from '../../domain/model.ts';
import { admit } from '../stream/admission.ts';
import { text } from '../stream/connect-query.ts';
import { askForSpeechUpgrade, openSpeechConnection } from '../stream/speech-connection.ts';
import { SPEECH_SOCKET_ACCESS, timeoutOrDefault } from '../stream/stream-routes.ts';
import type { StreamServices } from '../stream/stream-services.ts';
import { DialogueDialect } from './dialogue-dialect.ts';
import { dialogueRequest, wantsAlignment } from './dialogue-query.ts';
import { NamedVoices } from './named-voices.ts';

const SOCKETS = [
  { path: 'stream-input', hasContexts: false },
  { path: 'multi-stream-input', hasContexts: true },
];

/** The websockets of dialogues. Who speaks is said in messages, so that no voice is in the address. */
export function dialogueSocketRoutes(app: FastifyInstance, services: StreamServices): void {
  for (const { path, hasContexts } of SOCKETS) {
    app.route<{ Querystring: Record<string, unknown> }>({
      method: 'GET',
      url: `/v1/text-to-dialogue/${path}`,
      schema: { access: SPEECH_SOCKET_ACCESS },
      preValidation: async (request) => {
        resolveModel(text(request.query, 'model_id'));
      },
      handler: askForSpeechUpgrade,
      wsHandler: (socket, request) => {
        const { query } = request;
        const ask = { voiceId: undefined, readRequest: () => dialogueRequest(query) };
        openSpeechConnection(
          socket,
          request,
          {
            dialect: new DialogueDialect({ hasContexts, sendsAlignment: wantsAlignment(query) }),
            inactivityTimeoutMs: timeoutOrDefault(query),
            hasContexts,
            admit: async (carried) => {
              const admission = await admit(request, carried, ask, services);
              const named = new NamedVoices(admission.caller, services.speech);
              return { ...admission, ready: (command) => named.ready(command) };
            },
          },
          services,
        );
      },
    });
  }
}
