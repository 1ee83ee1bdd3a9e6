import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { StorageProblem } from '../../service/account/storage-health.ts';
import { EventLoopDelay } from './event-loop-delay.ts';
import type { VoiceListing } from './voices.ts';

export interface HealthSources {
  readonly version: string;
  readonly voices: VoiceListing;
  /** Whether the default voice is loaded and warm; speech asked for earlier waits for it. */
  readonly isReady: () => boolean;
  /** Whether the server is shutting down and takes no new work. */
  readonly isStopping: () => boolean;
  readonly storageHealth: {
    readonly problems: () => readonly StorageProblem[];
    /** Whether speech is refused because of them. */
    readonly isBeyondGrace: () => boolean;
  };
  /** Whether new speech is refused, because what is being spoken takes all there is. */
  readonly isFull: () => boolean;
  /** What the engine says about itself, copied into the reply. */
  readonly engineStats: () => object;
}

const HEALTH_STATUSES = ['ok', 'full', 'degraded', 'starting', 'stopping', 'unavailable'] as const;
type HealthStatus = (typeof HEALTH_STATUSES)[number];
/** While speech goes on, requests may be sent here. */
const SPEAKING: ReadonlySet<HealthStatus> = new Set(['ok', 'full', 'degraded']);

const HealthRecord = Type.Object(
  {
    status: Type.Union(
      HEALTH_STATUSES.map((status) => Type.Literal(status)),
      {
        description:
          'full: what is being spoken goes on, and new speech is refused. degraded: speech goes on, and something listed in problems does not work. unavailable: it has not for so long that speech is refused.',
      },
    ),
    problems: Type.Array(
      Type.Object({
        part: Type.String({ description: 'database or history' }),
        reason: Type.String({ description: 'Such as disk_full or database_locked.' }),
        forMs: Type.Integer(),
      }),
    ),
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
 * Answers 503 until the server is ready to speak at once, and when it cannot speak any more: not
 * while speech goes on in spite of problems.
 */
export function healthRoutes(app: FastifyInstance, sources: HealthSources): void {
  const eventLoopDelay = new EventLoopDelay();
  app.addHook('onClose', async () => eventLoopDelay.close());
  const schema = {
    summary: 'Tell whether the server is ready to speak',
    tags: ['Operation'],
    access: 'probe' as const,
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
      const problems = sources.storageHealth.problems();
      const status = statusOf(sources, problems);
      reply.code(SPEAKING.has(status) ? 200 : 503);
      reply.header('cache-control', 'no-store');
      return {
        status,
        problems,
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

function statusOf(
  { isReady, isStopping, isFull, storageHealth }: HealthSources,
  problems: readonly StorageProblem[],
): HealthStatus {
  if (isStopping()) return 'stopping';
  if (!isReady()) return 'starting';
  if (storageHealth.isBeyondGrace()) return 'unavailable';
  if (problems.length > 0) return 'degraded';
  return isFull() ? 'full' : 'ok';
}
