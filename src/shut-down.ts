import type { Logger } from 'pino';
import type { HttpDrain } from './api/http/http-drain.ts';
import type { LiveConnections } from './api/websocket/live-connections.ts';
import type { Config } from './config.ts';
import type { Phone } from './open-phone.ts';

interface ShutDownParts {
  readonly config: Pick<Config, 'drainS' | 'drainCallsS'>;
  readonly logger: Logger;
  readonly drain: HttpDrain;
  readonly phone: Phone;
  /** Streams, requests, and everything else that is not a phone call. */
  readonly streams: LiveConnections;
  readonly calls: LiveConnections;
}

/**
 * Takes no new work and lets what goes on finish: streams and requests for some seconds, phone calls
 * for minutes. Resolves when no connection is left, in any case soon after the later deadline.
 */
export async function shutDown(parts: ShutDownParts): Promise<void> {
  const { config, logger, drain, phone, streams, calls } = parts;
  const { drainS, drainCallsS } = config;
  drain.begin();
  phone.stopListening();
  logger.info(
    { streams: streams.count, calls: calls.count, drainS, drainCallsS },
    'shutting down when these have ended, in so many seconds at the latest; a second signal ends them at once',
  );
  await Promise.all([streams.drain(1000 * drainS), calls.drain(1000 * drainCallsS)]);
  await drain.end();
}
