import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { EventLoopDelay } from './event-loop-delay.ts';
import type { VoiceListing } from './voices.ts';

export interface HealthSources {
  readonly version: string;
  readonly voices: VoiceListing;
  /** Whether the default voice is loaded and warm; speech asked for earlier waits for it. */
  readonly isReady: () => boolean;
  /** Whether the server is shutting down and takes no new work. */
  readonly isStopping: () => boolean;
  /** What the engine says about itself, copied into the reply. */
  readonly engineStats: () => object;
}

const HealthRecord = Type.Object(
  {
    status: Type.Union([Type.Literal('ok'), Type.Literal('starting'), Type.Literal('stopping')]),
    version: Type.String(),
    uptimeMs: Type.Integer(),
    voices: Type.Integer({ description: 'Voices that are listed.' }),
    memory: Type.Object({ rssBytes: Type.Integer() }),
    eventLoop: Type.Object({ delayP99Ms: Type.Number() }),
    engine: Type.Unknown({ description: 'What the engine says about itself.' }),
  },
  { title: 'Health' },
);

/**
 * `GET /health`: for load balancers and people. Needs no key and tells nothing that is private.
 * Answers 503 until the server is ready to speak at once, and again when it shuts down.
 */
export function healthRoutes(app: FastifyInstance, sources: HealthSources): void {
  const eventLoopDelay = new EventLoopDelay();
  app.addHook('onClose', async () => eventLoopDelay.close());
  const schema = {
    summary: 'Tell whether the server is ready to speak',
    tags: ['Operation'],
    access: 'anybody' as const,
    response: {
      200: HealthRecord,
      503: {
        description: 'Not ready yet, or shutting down.',
        content: { 'application/json': { schema: HealthRecord } },
      },
    },
  };
  app.get(
    '/health',
    { schema, config: { answersWhileDraining: true } },
    async (_request, reply) => {
      const isStopping = sources.isStopping();
      const isReady = sources.isReady() && !isStopping;
      reply.code(isReady ? 200 : 503).header('cache-control', 'no-store');
      return {
        status: isStopping ? 'stopping' : isReady ? 'ok' : 'starting',
        version: sources.version,
        uptimeMs: Math.round(process.uptime() * 1000),
        voices: sources.voices.list().length,
        memory: { rssBytes: process.memoryUsage.rss() },
        eventLoop: { delayP99Ms: eventLoopDelay.p99Ms() },
        engine: sources.engineStats(),
      };
    },
  );
}
