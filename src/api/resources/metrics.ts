import type { FastifyInstance } from 'fastify';

/** Where the metrics come from. */
export interface MetricsSource {
  exposition(): Promise<{ contentType: string; body: string }>;
}

/** Who may read the metrics: anybody, callers with a key with the scope `workspace_read`, or nobody. */
export type MetricsAccess = 'open' | 'key' | 'off';

/** `GET /metrics` in the Prometheus text format. It tells no secret, but how busy the server is. */
export function metricsRoutes(
  app: FastifyInstance,
  source: MetricsSource,
  access: MetricsAccess,
): void {
  if (access === 'off') return;
  const schema = {
    summary: 'Measure the server',
    tags: ['Operation'],
    access: access === 'open' ? ('probe' as const) : ({ scope: 'workspace_read' } as const),
    response: {
      200: {
        description: 'In the Prometheus text format.',
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
    },
  };
  app.get(
    '/metrics',
    { schema, config: { answersWhileDraining: true } },
    async (_request, reply) => {
      const { contentType, body } = await source.exposition();
      return reply.type(contentType).send(body);
    },
  );
}
