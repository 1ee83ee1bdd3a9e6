import type { FastifyInstance } from 'fastify';
import type { AccountVoices } from '../../service/voices/known-voice.ts';
import { readJsonBodies } from '../http/json-body.ts';
import type { RestSpeechServices } from '../rest-speech/speech-services.ts';
import type { StreamServices } from '../stream/stream-services.ts';
import { cartesiaRestRoutes } from './cartesia-rest-routes.ts';
import { cartesiaSocketRoute } from './cartesia-socket-route.ts';
import { cartesiaVoiceRoutes } from './cartesia-voice-routes.ts';

/** What clients of Cartesia's text-to-speech call. */
export function cartesiaRoutes(
  app: FastifyInstance,
  sockets: StreamServices,
  rest: RestSpeechServices,
  voices: AccountVoices,
): void {
  cartesiaSocketRoute(app, sockets);
  cartesiaVoiceRoutes(app, voices);
  // In a scope of its own, because LiveKit's plugin does not say that it sends JSON.
  void app.register(async (scope) => {
    readJsonBodies(scope, '*');
    cartesiaRestRoutes(scope, rest);
  });
}
