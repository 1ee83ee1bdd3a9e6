import type { FastifyInstance } from 'fastify';
import type { Accounts } from '../../service/account/accounts.ts';
import type { History } from '../../service/account/history.ts';
import type { KeyRing } from '../../service/account/key-ring.ts';
import type { SingleUseTokens } from '../../service/account/single-use-tokens.ts';
import type { DictionaryShelf } from '../../service/dictionaries/dictionary-shelf.ts';
import type { WebhookBook } from '../../service/webhooks/webhook-book.ts';
import type { KeyChecker } from '../http/authenticate.ts';
import { accountsRoutes } from './accounts.ts';
import { apiKeysRoutes } from './api-keys.ts';
import { type HealthSources, healthRoutes } from './health.ts';
import { historyRoutes } from './history.ts';
import type { WavHeader } from './history-download.ts';
import { type MetricsSource, metricsRoutes } from './metrics.ts';
import { modelsRoutes } from './models.ts';
import { pronunciationDictionariesRoutes } from './pronunciation-dictionaries.ts';
import { singleUseTokensRoutes } from './single-use-tokens.ts';
import { type UserSources, userRoutes } from './user.ts';
import { voicesRoutes } from './voices.ts';
import type { RecordingServices } from './voices-upload.ts';
import { webhooksRoutes } from './webhooks.ts';

export interface ApiServices extends HealthSources, RecordingServices {
  readonly authenticator: KeyChecker;
  readonly keyRing: KeyRing;
  readonly accounts: Accounts;
  readonly tokens: SingleUseTokens;
  readonly user: UserSources;
  readonly dictionaries: DictionaryShelf;
  readonly history: History;
  readonly wavHeader: WavHeader;
  readonly webhooks: WebhookBook;
  readonly metrics: MetricsSource;
}

/** Every REST route but speech; each gets only what it needs. */
export function apiRoutes(app: FastifyInstance, services: ApiServices): void {
  const { authenticator } = services;
  voicesRoutes(app, authenticator, services);
  modelsRoutes(app, authenticator, services.voices);
  pronunciationDictionariesRoutes(app, authenticator, services.dictionaries, services.uploads);
  historyRoutes(app, authenticator, services.history, services.wavHeader);
  userRoutes(app, authenticator, services.user);
  singleUseTokensRoutes(app, authenticator, services.tokens);
  apiKeysRoutes(app, authenticator, services.keyRing);
  accountsRoutes(app, authenticator, services.accounts);
  webhooksRoutes(app, authenticator, services.webhooks);
  healthRoutes(app, services);
  metricsRoutes(app, services.metrics);
}
