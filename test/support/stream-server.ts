import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { cartesiaSocketRoute } from '../../src/api/cartesia/cartesia-socket-route.ts';
import { deepgramSocketRoute } from '../../src/api/deepgram/deepgram-socket-route.ts';
import { dialogueSocketRoutes } from '../../src/api/dialogue/dialogue-socket-routes.ts';
import { openHttp } from '../../src/api/http/open-http.ts';
import { guardRoutes } from '../../src/api/identity/guard-routes.ts';
import type { RouteGuardOptions } from '../../src/api/identity/route-guard.ts';
import { openSockets } from '../../src/api/stream/open-sockets.ts';
import { streamRoutes } from '../../src/api/stream/stream-routes.ts';
import { LiveConnections } from '../../src/api/websocket/live-connections.ts';
import type { Caller } from '../../src/domain/account.ts';
import { SpeechError } from '../../src/domain/errors.ts';
import type { SpeechServices } from '../../src/synthesis/speech/speech-services.ts';
import { FrontEnd } from '../../src/synthesis/text/front-end.ts';
import { normaliserFor } from '../../src/synthesis/text/normaliser/registry.ts';
import { Telemetry } from '../../src/telemetry/telemetry.ts';
import { LetterPhonemiser } from './letter-phonemiser.ts';
import { noTokens } from './no-tokens.ts';
import { ToneEngine } from './tone-engine.ts';
import { toneSpeaker, toneSpeech } from './tone-speech.ts';

export const KEY = 'sk_test';
const CALLER: Caller = {
  accountId: 'default',
  tier: 'business',
  concurrencyLimit: null,
  keyId: 'key',
  keyHash: '',
  scopes: 'all',
};

export interface StreamServer extends AsyncDisposable {
  /** `ws://127.0.0.1:port`. */
  readonly url: string;
  readonly engine: ToneEngine;
  readonly connections: LiveConnections;
  readonly telemetry: Telemetry;
  /** What all connections together have not handed to the operating system yet. */
  readonly bufferedBytes: () => number;
}

export interface StreamServerOptions {
  /** The engine fails on this symbol. */
  readonly failOn?: string;
  /** How long the engine speaks each symbol; see `ToneEngine`. */
  readonly samplesPerSymbol?: number;
  /** Whether numbers and the like are written out, as by the real server. */
  readonly normalise?: boolean;
  /** Takes the log, line by line. */
  readonly logLines?: string[];
  /** How long a client may leave its audio unread; the server's own default if absent. */
  readonly writeDeadlineMs?: number;
  /** Real parts in place of the simple ones here. */
  readonly speech?: Partial<SpeechServices>;
  /** How often keys are confirmed; the server's own default if absent. */
  readonly confirmIntervalMs?: number;
  /** Who is let in, in place of whoever has `KEY`. */
  readonly guard?: Partial<RouteGuardOptions>;
}

/**
 * The real websockets, from upgrade to close frame, over an engine without a model: what is tested
 * here is the protocol. The text that was spoken can be read back from the engine.
 */
export async function startStreamServer(options: StreamServerOptions = {}): Promise<StreamServer> {
  const { writeDeadlineMs, confirmIntervalMs, normalise = false } = options;
  const engine = new ToneEngine(options);
  const connections = new LiveConnections();
  const telemetry = new Telemetry(() => ({
    queuedSteps: 0,
    liveJobs: engine.liveJobs,
    workingJobs: 0,
    ratedStreams: 8,
    respawns: 0,
    realTimeFactor: 0,
  }));
  const { logLines } = options;
  const logger = logLines
    ? pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) })
    : pino({ level: 'silent' });
  const app = openHttp(logger);
  await openSockets(app);
  guardRoutes(app, {
    authenticate: async (key) => {
      await Promise.resolve();
      if (!key) throw new SpeechError('authentication_required', 'Send an API key.');
      if (key !== KEY) throw new SpeechError('invalid_api_key', 'This API key is not valid.');
      return CALLER;
    },
    redeem: noTokens,
    ...options.guard,
  });
  const frontEnd = new FrontEnd(
    new LetterPhonemiser(),
    normalise ? normaliserFor : () => undefined,
  );
  const speaker = toneSpeaker(engine, { frontEnd });
  const speech = toneSpeech(engine, { speaker, telemetry, ...options.speech });
  const services = {
    ...{ speech, connections, telemetry },
    ...(writeDeadlineMs !== undefined && { writeDeadlineMs }),
    ...(confirmIntervalMs !== undefined && { confirmIntervalMs }),
  };
  streamRoutes(app, services);
  dialogueSocketRoutes(app, services);
  deepgramSocketRoute(app, services);
  cartesiaSocketRoute(app, services);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}`,
    engine,
    connections,
    telemetry,
    bufferedBytes: () =>
      [...app.websocketServer.clients].reduce((sum, { bufferedAmount }) => sum + bufferedAmount, 0),
    [Symbol.asyncDispose]: async () => {
      await connections.drain(0);
      await app.close();
    },
  };
}
