import type { FastifyInstance } from 'fastify';
import type { Accounts } from '../../service/account/accounts.ts';
import type { ApiKeyRegistry } from '../../service/account/api-key-registry.ts';
import type { History } from '../../service/account/history.ts';
import type { SingleUseTokens } from '../../service/account/single-use-tokens.ts';
import type { UsageReader } from '../../service/account/usage-over-time.ts';
import type { DictionaryRegistry } from '../../service/dictionaries/dictionary-registry.ts';
import type { WebhookRegistry } from '../../service/webhooks/webhook-registry.ts';
import { accountsRoutes } from './accounts.ts';
import { apiKeysRoutes } from './api-keys.ts';
import { type HealthSources, healthRoutes } from './health.ts';
import { historyRoutes } from './history.ts';
import type { WavHeader } from './history-download.ts';
import { type MetricsAccess, type MetricsSource, metricsRoutes } from './metrics.ts';
import { modelsRoutes } from './models.ts';
import { pronunciationDictionariesRoutes } from './pronunciation-dictionaries.ts';
import { singleUseTokensRoutes } from './single-use-tokens.ts';
import { usageRoutes } from './usage.ts';
import { type UserSources, userRoutes } from './user.ts';
import { voicesRoutes } from './voices.ts';
import type { RecordingServices } from './voices-upload.ts';
import { webhooksRoutes } from './webhooks.ts';

export interface ApiServices extends HealthSources, RecordingServices {
  readonly apiKeyRegistry: ApiKeyRegistry;
  readonly accounts: Accounts;
  readonly tokens: SingleUseTokens;
  readonly user: UserSources;
  readonly usage: UsageReader;
  readonly dictionaries: DictionaryRegistry;
  readonly history: History;
  readonly wavHeader: WavHeader;
  readonly webhooks: WebhookRegistry;
  readonly metrics: MetricsSource;
  readonly metricsAccess: MetricsAccess;
}

/** Every REST route but speech; each gets only what it needs. */
export function apiRoutes(app: FastifyInstance, services: ApiServices): void {
  voicesRoutes(app, services);
  modelsRoutes(app, services.voices);
  pronunciationDictionariesRoutes(app, services.dictionaries, services.uploads);
  historyRoutes(app, services.history, services.wavHeader);
  userRoutes(app, services.user);
  usageRoutes(app, services.usage);
  singleUseTokensRoutes(app, services.tokens);
  apiKeysRoutes(app, services.apiKeyRegistry);
  accountsRoutes(app, services.accounts);
  webhooksRoutes(app, services.webhooks);
  healthRoutes(app, services);
  metricsRoutes(app, services.metrics, services.metricsAccess);
}
