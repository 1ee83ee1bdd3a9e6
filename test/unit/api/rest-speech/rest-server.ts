import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { dialogueRoutes } from '../../../../src/api/dialogue/dialogue-routes.ts';
import { openHttp } from '../../../../src/api/http/open-http.ts';
import { guardRoutes } from '../../../../src/api/identity/guard-routes.ts';
import { restSpeechRoutes } from '../../../../src/api/rest-speech/rest-speech-routes.ts';
import type { RestSpeechServices } from '../../../../src/api/rest-speech/speech-services.ts';
import { LiveConnections } from '../../../../src/api/websocket/live-connections.ts';
import type { Caller } from '../../../../src/domain/account.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';
import type { ServiceEvent } from '../../../../src/domain/service-event.ts';
import type { SpeechServices } from '../../../../src/synthesis/speech/speech-services.ts';
import { noTokens } from '../../../support/no-tokens.ts';
import { ToneEngine } from '../../../support/tone-engine.ts';
import { toneSpeech } from '../../../support/tone-speech.ts';
import { MemoryHistory } from './memory-history.ts';
import { MemoryLimits } from './memory-limits.ts';

export const KEY = 'sk_test';
const CALLER: Caller = {
  accountId: 'acme',
  tier: 'starter',
  concurrencyLimit: null,
  keyId: 'key-1',
  keyHash: '00',
  scopes: 'all',
};
export interface RestServer {
  readonly app: FastifyInstance;
  readonly engine: ToneEngine;
  readonly limits: MemoryLimits;
  readonly history: MemoryHistory;
  readonly told: ServiceEvent[];
  readonly connections: LiveConnections;
  readonly logLines: string[];
  /** Starts to listen; `http://127.0.0.1:port`. */
  listen(): Promise<string>;
  /** A request without a socket, of speech unless the path begins with a slash. */
  post(path: string, body: unknown, headers?: Record<string, string>): ReturnType<typeof inject>;
}

interface Options extends Partial<Omit<RestSpeechServices, 'speech'>> {
  readonly speech?: Partial<SpeechServices>;
  readonly engine?: ToneEngine;
  readonly characters?: number;
  readonly maximumRequests?: number;
}

/** The real routes over an engine without a model, for a caller whose limits and history can be read. */
export function openRestServer(options: Options = {}): RestServer {
  const { engine = new ToneEngine(), characters, maximumRequests, speech, ...overrides } = options;
  const limits = new MemoryLimits(characters, maximumRequests);
  const history = new MemoryHistory();
  const told: ServiceEvent[] = [];
  const logLines: string[] = [];
  const connections = new LiveConnections();
  const logger = pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) });
  const app = openHttp(logger);
  guardRoutes(app, { authenticate: async (key) => callerOf(key), redeem: noTokens });
  const services: RestSpeechServices = {
    speech: toneSpeech(engine, {
      openMeter: () => {
        throw new Error('What is spoken over REST is reserved as a whole.');
      },
      ...speech,
    }),
    concurrency: limits,
    quota: limits,
    history,
    tell: async (event) => void told.push(event),
    liveWork: connections,
    ...overrides,
  };
  restSpeechRoutes(app, services);
  dialogueRoutes(app, services);
  onTestFinished(async () => {
    await connections.drain(0);
    await app.close();
  });
  return {
    app,
    engine,
    limits,
    history,
    told,
    connections,
    logLines,
    listen: async () => {
      await app.listen({ host: '127.0.0.1', port: 0 });
      return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    },
    post: (path, body, headers = {}) => inject(app, path, body, headers),
  };
}

function inject(
  app: FastifyInstance,
  path: string,
  payload: unknown,
  headers: Record<string, string>,
) {
  return app.inject({
    method: 'POST',
    url: path.startsWith('/') ? path : `/v1/text-to-speech/${path}`,
    headers: { 'xi-api-key': KEY, ...headers },
    payload: payload as object,
  });
}

function callerOf(key: unknown): Caller {
  if (key === KEY) return CALLER;
  if (key === undefined) throw new SpeechError('authentication_required', 'Send an API key.');
  throw new SpeechError('invalid_api_key', 'This API key is not valid.');
}
