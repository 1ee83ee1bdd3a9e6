import type { FastifyInstance } from 'fastify';

/** Where the metrics come from. */
export interface MetricsSource {
  exposition(): Promise<{ contentType: string; body: string }>;
}

/** `GET /metrics` in the Prometheus text format; like health, it needs no key and tells no secret. */
export function metricsRoutes(app: FastifyInstance, source: MetricsSource): void {
  app.get('/metrics', async (_request, reply) => {
    const { contentType, body } = await source.exposition();
    return reply.type(contentType).send(body);
  });
}
