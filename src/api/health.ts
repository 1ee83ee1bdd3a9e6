import type { FastifyInstance } from 'fastify';
import { EventLoopDelay } from './event-loop-delay.ts';
import type { VoiceListing } from './voices.ts';

export interface HealthSources {
  readonly version: string;
  readonly voices: VoiceListing;
  /** What the engine says about itself, copied into the reply. */
  readonly engineStats: () => object;
}

/** `GET /health`: for load balancers and people. Needs no key and tells nothing that is private. */
export function healthRoutes(app: FastifyInstance, sources: HealthSources): void {
  const eventLoopDelay = new EventLoopDelay();
  app.addHook('onClose', async () => eventLoopDelay.close());
  app.get('/health', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return {
      status: 'ok',
      version: sources.version,
      uptimeMs: Math.round(process.uptime() * 1000),
      voices: sources.voices.list().length,
      memory: { rssBytes: process.memoryUsage.rss() },
      eventLoop: { delayP99Ms: eventLoopDelay.p99Ms() },
      engine: sources.engineStats(),
    };
  });
}
