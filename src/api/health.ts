import type { FastifyInstance } from 'fastify';
import { EventLoopDelay } from './event-loop-delay.ts';
import type { VoiceListing } from './voices.ts';

export interface HealthSources {
  readonly version: string;
  readonly voices: VoiceListing;
  /** Whether the default voice is loaded and warm; speech asked for earlier waits for it. */
  readonly isReady: () => boolean;
  /** What the engine says about itself, copied into the reply. */
  readonly engineStats: () => object;
}

/**
 * `GET /health`: for load balancers and people. Needs no key and tells nothing that is private.
 * Answers 503 until the server is ready to speak at once.
 */
export function healthRoutes(app: FastifyInstance, sources: HealthSources): void {
  const eventLoopDelay = new EventLoopDelay();
  app.addHook('onClose', async () => eventLoopDelay.close());
  app.get('/health', async (_request, reply) => {
    const isReady = sources.isReady();
    reply.code(isReady ? 200 : 503).header('cache-control', 'no-store');
    return {
      status: isReady ? 'ok' : 'starting',
      version: sources.version,
      uptimeMs: Math.round(process.uptime() * 1000),
      voices: sources.voices.list().length,
      memory: { rssBytes: process.memoryUsage.rss() },
      eventLoop: { delayP99Ms: eventLoopDelay.p99Ms() },
      engine: sources.engineStats(),
    };
  });
}
