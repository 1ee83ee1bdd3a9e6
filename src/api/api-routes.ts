import type { FastifyInstance } from 'fastify';
import type { KeyRing } from '../account/key-ring.ts';
import { apiKeysRoutes } from './api-keys.ts';
import type { KeyChecker } from './authenticate.ts';
import { type HealthSources, healthRoutes } from './health.ts';
import { type MetricsSource, metricsRoutes } from './metrics.ts';
import { modelsRoutes } from './models.ts';
import { voicesRoutes } from './voices.ts';

export interface ApiServices extends HealthSources {
  readonly authenticator: KeyChecker;
  readonly keyRing: KeyRing;
  readonly metrics: MetricsSource;
}

/** Every REST route; each gets only what it needs. */
export function apiRoutes(app: FastifyInstance, services: ApiServices): void {
  const { authenticator, keyRing, voices } = services;
  voicesRoutes(app, voices);
  modelsRoutes(app, authenticator, voices);
  apiKeysRoutes(app, authenticator, keyRing);
  healthRoutes(app, services);
  metricsRoutes(app, services.metrics);
}
