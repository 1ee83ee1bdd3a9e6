import type { FastifyInstance } from 'fastify';
import type { AccountVoices } from '../../service/voices/known-voice.ts';
import type { RestSpeechServices } from '../rest-speech/speech-services.ts';
import { modelRoutes } from './model-routes.ts';
import { tellClientsApart } from './openai-client.ts';
import { speechRoute } from './speech-route.ts';
import { voiceRoutes } from './voice-routes.ts';

/** What clients of OpenAI's speech API call, and front ends that were written for it. */
export function openAiRoutes(
  app: FastifyInstance,
  services: RestSpeechServices,
  voices: AccountVoices,
): void {
  tellClientsApart(app);
  speechRoute(app, services, voices);
  voiceRoutes(app, voices);
  modelRoutes(app);
}
