import { onTestFinished } from 'vitest';
import { openHttp } from '../../../../src/api/http/open-http.ts';
import { guardRoutes } from '../../../../src/api/identity/guard-routes.ts';
import { webhooksRoutes } from '../../../../src/api/resources/webhooks.ts';
import { ApiKeyRegistry } from '../../../../src/service/account/api-key-registry.ts';
import { Authenticator } from '../../../../src/service/account/authenticator.ts';
import { noTokens } from '../../../support/no-tokens.ts';
import { openWebhooks } from '../../service/webhooks/dispatch-harness.ts';
import { CONFIGURED_SECRET, memoryLogger } from './api-harness.ts';

/** The webhook routes on the real server with everything that delivers. */
export async function openWebhooksApi() {
  const webhooks = await openWebhooks();
  const apiKeyRegistry = new ApiKeyRegistry({
    store: webhooks.storage.keys,
    configuredSecret: CONFIGURED_SECRET,
    now: Date.now,
  });
  const logged: string[] = [];
  const app = openHttp(memoryLogger(logged));
  const authenticator = new Authenticator(apiKeyRegistry);
  guardRoutes(app, {
    authenticate: (secret, origin) => authenticator.authenticate(secret, origin),
    redeem: noTokens,
  });
  webhooksRoutes(app, webhooks.registry);
  onTestFinished(() => app.close());
  return { ...webhooks, app, logged };
}
