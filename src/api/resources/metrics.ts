import type { FastifyInstance } from 'fastify';

/** Where the metrics come from. */
export interface MetricsSource {
  exposition(): Promise<{ contentType: string; body: string }>;
}

/** `GET /metrics` in the Prometheus text format; like health, it needs no key and tells no secret. */
export function metricsRoutes(app: FastifyInstance, source: MetricsSource): void {
  const schema = {
    summary: 'Measure the server',
    tags: ['Operation'],
    access: 'anybody' as const,
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
